/**
 * {@code bloom examine}: tests a hash strategy, ready-made or loaded from a class of the user, on
 * generated keys or on the lines of an input.
 *
 * <p>Start at {@link io.bloomkit.cli.examine.ExamineCommand}. A {@link
 * io.bloomkit.cli.examine.Subject} is a strategy with the form of its keys. The statistics come
 * from bloom-testkit. Depends on {@code chart}, {@code io} and {@code text}.
 */
@NullMarked
package io.bloomkit.cli.examine;

import org.jspecify.annotations.NullMarked;
