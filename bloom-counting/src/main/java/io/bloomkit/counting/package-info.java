/** Filters that can forget: elements that were added can be removed again. */
@NullMarked
package io.bloomkit.counting;

import org.jspecify.annotations.NullMarked;
