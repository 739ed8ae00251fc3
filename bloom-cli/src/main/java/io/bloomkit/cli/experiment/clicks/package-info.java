/**
 * {@code bloom experiment clicks}: finds repeats within a window of time in a synthetic stream of
 * clicks, and compares expiring, counting and exact filters with their forecasts.
 *
 * <p>Start at {@link io.bloomkit.cli.experiment.clicks.ClickTrial}. {@link
 * io.bloomkit.cli.experiment.clicks.ClickPlan} lists the filters, {@link
 * io.bloomkit.cli.experiment.clicks.ClickStream} generates the clicks. Depends on {@code
 * experiment}, {@code io} and {@code text}.
 */
@NullMarked
package io.bloomkit.cli.experiment.clicks;

import org.jspecify.annotations.NullMarked;
