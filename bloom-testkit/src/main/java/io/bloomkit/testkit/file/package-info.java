/**
 * Contracts of file formats, with golden files, corrupted files and a bound on the memory of
 * readers.
 *
 * <p>Start with {@link io.bloomkit.testkit.file.FileFormatContract} for the files of a filter, with
 * {@link io.bloomkit.testkit.file.DeltaFormatContract} for deltas, or with {@link
 * io.bloomkit.testkit.file.FilterProviderContract} for the provider of a new kind of filter. {@link
 * io.bloomkit.testkit.file.FileChecks} has single checks, for example for fuzzers.
 */
@NullMarked
package io.bloomkit.testkit.file;

import org.jspecify.annotations.NullMarked;
