/**
 * The measurements in one virtual machine. Start at {@link io.bloomkit.bench.run.PairBenchmark} for
 * two filters side by side, or at {@link io.bloomkit.bench.run.FilterBenchmark} for a single
 * filter. Depends on {@link io.bloomkit.bench.subject}.
 */
@NullMarked
package io.bloomkit.bench.run;

import org.jspecify.annotations.NullMarked;
