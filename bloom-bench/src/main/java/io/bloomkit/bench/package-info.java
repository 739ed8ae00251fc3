/** Benchmarks against other libraries. */
@NullMarked
package io.bloomkit.bench;

import org.jspecify.annotations.NullMarked;
