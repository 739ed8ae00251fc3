/**
 * {@code bloom size}: what a filter of each variant takes and what its operations cost, without
 * building one.
 *
 * <p>Start at {@link io.bloomkit.cli.size.Candidate}, a filter that can be built and its size
 * before it is, and at {@link io.bloomkit.cli.size.Variant}, which lists them. Depends on {@code
 * text}.
 */
@NullMarked
package io.bloomkit.cli.size;

import org.jspecify.annotations.NullMarked;
