/**
 * Benchmarks against other libraries: the command, and the plans of what it measures. Start at
 * {@link io.bloomkit.bench.Bench}. Leans on all packages below it.
 */
@NullMarked
package io.bloomkit.bench;

import org.jspecify.annotations.NullMarked;
