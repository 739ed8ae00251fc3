/**
 * What the filters of other libraries have in common.
 *
 * <p>Depends on {@code bloom-api} only.
 */
@NullMarked
package io.bloomkit.interop;

import org.jspecify.annotations.NullMarked;
