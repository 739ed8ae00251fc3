/**
 * The code that the filters of this library share: state, builder options, kinds, and the fields of
 * a shape in a file. Exported to the filter modules only; may change at any time. Depends on {@link
 * io.bloomkit}, {@link io.bloomkit.hash} and {@link io.bloomkit.format}.
 */
@NullMarked
package io.bloomkit.internal.filter;

import org.jspecify.annotations.NullMarked;
