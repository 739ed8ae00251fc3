/**
 * Reads, queries, merges, builds and writes the Bloom filters of DCSO's {@code bloom}, in which
 * hash lists of known files are published, byte for byte.
 *
 * <p>Start at {@link io.bloomkit.interop.dcso.DcsoBloomFilter}.
 *
 * <p>Every method throws {@link java.lang.NullPointerException} if an argument is null, except
 * {@code equals}.
 */
@NullMarked
package io.bloomkit.interop.dcso;

import org.jspecify.annotations.NullMarked;
