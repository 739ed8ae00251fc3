/**
 * A filter that grows, shrinks, deletes and counts: {@link
 * io.bloomkit.counting.dynamic.DynamicCuckooFilter}.
 *
 * <p>Sources: B. Fan et al., <i>Cuckoo filter: practically better than Bloom</i>, CoNEXT 2014, for
 * its tables; D. Knuth, <i>The Art of Computer Programming</i> 3, section 6.4, exercise 13, for
 * quotienting; R. Fagin et al., <i>Extendible hashing</i>, ACM TODS 4, 1979, for its directory.
 */
@NullMarked
package io.bloomkit.counting.dynamic;

import org.jspecify.annotations.NullMarked;
