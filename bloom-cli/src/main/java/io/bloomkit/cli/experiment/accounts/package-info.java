/**
 * {@code bloom experiment accounts}: the bytes that a phone downloads to know a set of accounts, at
 * first and as a delta, and the errors of the filter that it gets.
 *
 * <p>Start at {@link io.bloomkit.cli.experiment.accounts.AccountsExperiment}. Depends on {@code
 * experiment}, {@code io} and {@code text}.
 */
@NullMarked
package io.bloomkit.cli.experiment.accounts;

import org.jspecify.annotations.NullMarked;
