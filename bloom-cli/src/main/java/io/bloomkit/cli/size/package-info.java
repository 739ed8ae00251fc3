/**
 * {@code bloom size}: prints the memory and the cost of operations of a filter of each kind,
 * without building it.
 *
 * <p>Start at {@link io.bloomkit.cli.size.SizeReport}. Depends on {@code filter}, for the kinds,
 * and on {@code text}.
 */
@NullMarked
package io.bloomkit.cli.size;

import org.jspecify.annotations.NullMarked;
