/**
 * The skeleton of all experiments: {@link io.bloomkit.cli.experiment.Experiment} is the command,
 * {@link io.bloomkit.cli.experiment.Row} what it found for one filter.
 *
 * <p>The experiments themselves are in the packages below this one. Depends on {@code chart},
 * {@code io} and {@code text}.
 */
@NullMarked
package io.bloomkit.cli.experiment;

import org.jspecify.annotations.NullMarked;
