/**
 * What the builders of this library's filters share. Exported to the filter modules only, and free
 * to change. Depends on {@link io.bloomkit}, {@link io.bloomkit.hash} and {@link
 * io.bloomkit.format}.
 */
@NullMarked
package io.bloomkit.internal.builder;

import org.jspecify.annotations.NullMarked;
