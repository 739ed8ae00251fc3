/**
 * Code shared by the formats of other libraries: reading and writing words, and format errors.
 *
 * <p>Not exported. Used by the packages of the formats; depends on {@code bloom-api} only.
 */
@NullMarked
package io.bloomkit.interop.internal;

import org.jspecify.annotations.NullMarked;
