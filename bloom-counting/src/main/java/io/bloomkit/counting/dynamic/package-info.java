/**
 * {@link io.bloomkit.counting.dynamic.DynamicCuckooFilter}, a filter that grows and shrinks with
 * the number of its elements, and from which elements can be removed; and {@link
 * io.bloomkit.counting.dynamic.ExpiringCuckooFilter}, which forgets each element after its time to
 * live.
 *
 * <p>The filters consist of cuckoo tables (B. Fan et al., <i>Cuckoo filter: practically better than
 * Bloom</i>, CoNEXT 2014), which store fingerprints by quotienting (D. Knuth, <i>The Art of
 * Computer Programming</i> 3, section 6.4, exercise 13), and of a directory of these tables (R.
 * Fagin et al., <i>Extendible hashing</i>, ACM TODS 4, 1979).
 */
@NullMarked
package io.bloomkit.counting.dynamic;

import org.jspecify.annotations.NullMarked;
