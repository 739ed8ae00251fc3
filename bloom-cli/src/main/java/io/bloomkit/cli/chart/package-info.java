/**
 * What all charts share: their style, and the PNG file that they are written to.
 *
 * <p>Start at {@link io.bloomkit.cli.chart.Charts}. Each chart itself is in the package of the
 * command that draws it. Depends on {@code io} and {@code text}.
 */
@NullMarked
package io.bloomkit.cli.chart;

import org.jspecify.annotations.NullMarked;
