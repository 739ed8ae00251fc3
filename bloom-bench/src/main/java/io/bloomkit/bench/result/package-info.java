/**
 * The figures that were measured, and what is made of them: tables, pictures, and whether the goals
 * are met. Start at {@link io.bloomkit.bench.result.Report}. Leans on {@link
 * io.bloomkit.bench.run}.
 */
@NullMarked
package io.bloomkit.bench.result;

import org.jspecify.annotations.NullMarked;
