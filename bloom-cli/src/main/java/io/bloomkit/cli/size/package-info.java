/**
 * {@code bloom size}: what a filter of each kind takes and what its operations cost, without
 * building one.
 *
 * <p>Start at {@link io.bloomkit.cli.size.SizeReport}. Depends on {@code filter}, for the kinds,
 * and on {@code text}.
 */
@NullMarked
package io.bloomkit.cli.size;

import org.jspecify.annotations.NullMarked;
