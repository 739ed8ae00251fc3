/**
 * {@code bloom experiment accounts}: the bytes that a phone downloads for a set of accounts, first
 * as a filter and then as a delta, and the false-positive rate of the filter.
 *
 * <p>Start at {@link io.bloomkit.cli.experiment.accounts.AccountsExperiment}. Depends on {@code
 * experiment}, {@code io} and {@code text}.
 */
@NullMarked
package io.bloomkit.cli.experiment.accounts;

import org.jspecify.annotations.NullMarked;
