/**
 * The common parts of all experiments: measured rates, the exception for a violated guarantee, and
 * the check that the heap is large enough.
 *
 * <p>Each experiment has a package below this one. Start at {@link
 * io.bloomkit.cli.experiment.MeasuredRate}. Depends on no other package of the command.
 */
@NullMarked
package io.bloomkit.cli.experiment;

import org.jspecify.annotations.NullMarked;
