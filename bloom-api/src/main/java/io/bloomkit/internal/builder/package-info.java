/**
 * The code shared by the builders of this library's filters. Exported to the filter modules only;
 * may change at any time. Depends on {@link io.bloomkit}, {@link io.bloomkit.hash} and {@link
 * io.bloomkit.format}.
 */
@NullMarked
package io.bloomkit.internal.builder;

import org.jspecify.annotations.NullMarked;
