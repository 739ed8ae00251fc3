/**
 * A deletable filter for sets of unknown size, {@link
 * io.bloomkit.counting.dynamic.DynamicCuckooFilter}.
 *
 * <p>Start reading at {@code FingerprintCounts}, what the filter holds. Below it: {@code
 * ChunkDirectory} finds the chunk of a hash, and grows and shrinks; {@code Chunk} is a set of
 * fingerprints and counts their copies; {@code TableShape} has the arithmetic of a table, {@code
 * TableSizes} the sizes that tables go through.
 *
 * <p>Sources: cuckoo tables: B. Fan et al., <i>Cuckoo filter: practically better than Bloom</i>,
 * CoNEXT 2014; quotienting: D. Knuth, <i>The Art of Computer Programming</i> 3, section 6.4,
 * exercise 13; directory: R. Fagin et al., <i>Extendible hashing</i>, ACM TODS 4, 1979.
 */
@NullMarked
package io.bloomkit.counting.dynamic;

import org.jspecify.annotations.NullMarked;
