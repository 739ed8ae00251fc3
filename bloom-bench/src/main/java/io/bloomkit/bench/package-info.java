/**
 * Benchmarks against other libraries: the command and its plans. Start at {@link
 * io.bloomkit.bench.Bench}. Depends on all packages below it.
 */
@NullMarked
package io.bloomkit.bench;

import org.jspecify.annotations.NullMarked;
