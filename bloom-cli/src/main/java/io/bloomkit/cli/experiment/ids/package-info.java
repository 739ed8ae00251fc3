/**
 * {@code bloom experiment ids}: inserts synthetic identification numbers into each filter and
 * compares the measured error rates with the formulas.
 *
 * <p>Start at {@link io.bloomkit.cli.experiment.ids.IdsExperiment}; {@link
 * io.bloomkit.cli.experiment.ids.FilterTrial} is what it does with one filter. Depends on {@code
 * size}, which says what filters there are, and on {@code experiment}, {@code chart}, {@code io}
 * and {@code text}.
 */
@NullMarked
package io.bloomkit.cli.experiment.ids;

import org.jspecify.annotations.NullMarked;
