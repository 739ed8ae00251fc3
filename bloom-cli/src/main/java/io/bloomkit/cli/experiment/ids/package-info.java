/**
 * {@code bloom experiment ids}: inserts synthetic identification numbers into each filter and
 * compares the measured false-positive rates with the formulas.
 *
 * <p>Start at {@link io.bloomkit.cli.experiment.ids.IdsExperiment}; {@link
 * io.bloomkit.cli.experiment.ids.FilterTrial} runs it for one filter. Depends on {@code size} for
 * the dimensions of filters, and on {@code experiment}, {@code chart}, {@code io} and {@code text}.
 */
@NullMarked
package io.bloomkit.cli.experiment.ids;

import org.jspecify.annotations.NullMarked;
