/**
 * The commands on filter files: build, add, remove, check, count, merge, intersect, subtract,
 * delta, apply, convert and inspect.
 *
 * <p>Start at {@link io.bloomkit.cli.filter.LineFilter}, a filter whose elements are lines, and at
 * {@link io.bloomkit.cli.filter.LineFilterFile}, which reads and writes it. {@link
 * io.bloomkit.cli.filter.FileKind} lists the values of {@code --kind}. Depends on {@code chart},
 * {@code io} and {@code text}.
 */
@NullMarked
package io.bloomkit.cli.filter;

import org.jspecify.annotations.NullMarked;
