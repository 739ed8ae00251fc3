/**
 * Internals shared by the modules of this library: the derivation of positions, arrays, codes,
 * little-endian access, and access to newer or hidden parts of the JDK.
 *
 * <p>Exported to modules of this library only; may change at any time. Start at {@link
 * io.bloomkit.internal.IndexDerivation}. Depends on no other package of this library.
 */
@NullMarked
package io.bloomkit.internal;

import org.jspecify.annotations.NullMarked;
