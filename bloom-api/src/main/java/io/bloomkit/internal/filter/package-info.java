/**
 * The code that the filters of this library share: state, builder options, kinds, and the fields of
 * a shape in a file. Exported to modules of this library only; may change at any time.
 */
@NullMarked
package io.bloomkit.internal.filter;

import org.jspecify.annotations.NullMarked;
