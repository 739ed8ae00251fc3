/**
 * Hash strategies: what turns an element into 64 well-mixed bits.
 *
 * <p>Start at {@link io.bloomkit.hash.HashStrategies} for the ready-made ones and at {@link
 * io.bloomkit.hash.HashStrategy} to write one. The functions themselves are package-private; most
 * come from hash4j, none of whose types shows in a signature. Depends on {@code
 * io.bloomkit.internal} only.
 */
@NullMarked
package io.bloomkit.hash;

import org.jspecify.annotations.NullMarked;
