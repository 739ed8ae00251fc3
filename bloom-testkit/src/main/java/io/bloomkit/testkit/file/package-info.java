/**
 * Contracts of file formats: golden files, every corruption of them, and what a reader may
 * allocate.
 *
 * <p>Depends on {@code io.bloomkit.format} and on no other package of the testkit. Start with
 * {@link io.bloomkit.testkit.file.FileFormatContract}, with {@link
 * io.bloomkit.testkit.file.DeltaFormatContract} for deltas, or with {@link
 * io.bloomkit.testkit.file.FilterProviderContract} for the provider of a new kind of filter; {@link
 * io.bloomkit.testkit.file.FileChecks} has the checks alone, for fuzzers.
 */
@NullMarked
package io.bloomkit.testkit.file;

import org.jspecify.annotations.NullMarked;
