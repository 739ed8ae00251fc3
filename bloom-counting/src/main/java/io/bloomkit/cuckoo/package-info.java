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
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads exactly the bytes of one filter, does not
 * close the stream, and needs no buffered stream. {@code readFrom(Path)} and {@code fromBytes}
 * require that no bytes follow the filter. These methods throw
 *
 * <ul>
 *   <li>{@link io.bloomkit.FilterFormatException} if the bytes are damaged or truncated, or are a
 *       filter of another kind, of another strategy (id or fingerprint), or of a size other than
 *       the one set in the builder;
 *   <li>{@link java.io.IOException} if the stream or file cannot be read;
 *   <li>{@link java.lang.NullPointerException} if an argument is null.
 * </ul>
 */
@NullMarked
package io.bloomkit.cuckoo;

import org.jspecify.annotations.NullMarked;
