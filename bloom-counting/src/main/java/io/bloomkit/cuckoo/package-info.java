/**
 * Filters that store a short fingerprint of each element in a table (B. Fan et al., <i>Cuckoo
 * filter: practically better than Bloom</i>, CoNEXT 2014). Elements can be removed, or expire.
 *
 * <ul>
 *   <li>{@link io.bloomkit.cuckoo.DynamicCuckooFilter}, the usual choice, grows and shrinks with
 *       the number of its elements. It is always thread-safe.
 *   <li>{@link io.bloomkit.cuckoo.ExpiringCuckooFilter} forgets each element after its time to
 *       live. It is always thread-safe.
 *   <li>{@link io.bloomkit.cuckoo.CuckooFilter} takes the least memory and has a fixed capacity. It
 *       is single-writer.
 * </ul>
 *
 * <p>The first two are directories (R. Fagin et al., <i>Extendible hashing</i>, ACM TODS 4, 1979)
 * of tables that store fingerprints by quotienting (D. Knuth, <i>The Art of Computer
 * Programming</i> 3, section 6.4, exercise 13). The third is one table of whole fingerprints.
 *
 * <p><b>Building.</b> A builder method that requires a size throws {@link
 * java.lang.IllegalStateException} if no size was set.
 *
 * <p><b>Reading.</b> See {@link io.bloomkit.format.FilterBuilder}.
 */
@NullMarked
package io.bloomkit.cuckoo;

import org.jspecify.annotations.NullMarked;
