/**
 * The experiments that fill filters: {@code bloom experiment ids} with identification numbers,
 * {@code bloom experiment accounts} with what a phone would download.
 *
 * <p>Start at {@link io.bloomkit.cli.experiment.fill.FillTrial}, which runs for one filter. Depends
 * on {@code size} for the dimensions of filters, and on {@code experiment}, {@code io} and {@code
 * text}.
 */
@NullMarked
package io.bloomkit.cli.experiment.fill;

import org.jspecify.annotations.NullMarked;
