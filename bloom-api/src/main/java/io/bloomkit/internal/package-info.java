/**
 * What the modules of this library share and nobody else may use: the derivation of positions,
 * atomic files, little-endian access, and the doors to newer or hidden parts of the JDK.
 *
 * <p>Exported to the filter modules only, and free to change. Start at {@link
 * io.bloomkit.internal.IndexDerivation}. Depends on nothing of this library.
 */
@NullMarked
package io.bloomkit.internal;

import org.jspecify.annotations.NullMarked;
