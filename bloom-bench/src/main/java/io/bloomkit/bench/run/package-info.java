/**
 * The measurements in one virtual machine. Start at {@link io.bloomkit.bench.run.FilterBenchmark}.
 * Depends on {@link io.bloomkit.bench.subject}.
 */
@NullMarked
package io.bloomkit.bench.run;

import org.jspecify.annotations.NullMarked;
