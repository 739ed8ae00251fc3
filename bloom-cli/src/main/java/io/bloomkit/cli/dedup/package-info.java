/**
 * {@code bloom dedup}: drops repeated lines of a whole input or within a window.
 *
 * <p>Start at {@link io.bloomkit.cli.dedup.Dedup}, the loop over the lines; {@link
 * io.bloomkit.cli.dedup.SeenLines} is the filter of the lines seen so far. Depends on {@code io}
 * and {@code text}, and asks {@code filter} whether an input is one.
 */
@NullMarked
package io.bloomkit.cli.dedup;

import org.jspecify.annotations.NullMarked;
