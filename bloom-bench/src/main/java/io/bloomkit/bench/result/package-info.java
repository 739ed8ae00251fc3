/**
 * The measured figures and their presentation: tables, charts and goals. Start at {@link
 * io.bloomkit.bench.result.Report}. Depends on {@link io.bloomkit.bench.run}.
 */
@NullMarked
package io.bloomkit.bench.result;

import org.jspecify.annotations.NullMarked;
