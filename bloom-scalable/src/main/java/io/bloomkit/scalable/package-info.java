/** Filters for sets of which nobody knows how large they will be, and for those that age. */
@NullMarked
package io.bloomkit.scalable;

import org.jspecify.annotations.NullMarked;
