/**
 * Tests of the file format: golden files, corrupted and forged files, and a bound on the memory of
 * readers.
 *
 * <p>The tests of the filter modules implement {@link io.bloomkit.formattests.FileFormatContract}
 * for the files of a filter, {@link io.bloomkit.formattests.DeltaFormatContract} for deltas, and
 * {@link io.bloomkit.formattests.FilterKindContract} for their kinds. {@link
 * io.bloomkit.formattests.FileChecks} has single checks, for example for fuzzers.
 */
@NullMarked
package io.bloomkit.formattests;

import org.jspecify.annotations.NullMarked;
