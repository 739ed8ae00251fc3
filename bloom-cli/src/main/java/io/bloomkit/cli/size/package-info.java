/**
 * {@code bloom size}: what a filter of each kind takes and what its operations cost, without
 * building one.
 *
 * <p>Start at {@link io.bloomkit.cli.size.ComparedKinds}, which lists the kinds. Depends on {@code
 * text}.
 */
@NullMarked
package io.bloomkit.cli.size;

import org.jspecify.annotations.NullMarked;
