/**
 * The common parts of all charts: their style and their PNG files.
 *
 * <p>Start at {@link io.bloomkit.cli.chart.Charts}. Each chart is in the package of the command
 * that draws it. Depends on {@code io} and {@code text}.
 */
@NullMarked
package io.bloomkit.cli.chart;

import org.jspecify.annotations.NullMarked;
