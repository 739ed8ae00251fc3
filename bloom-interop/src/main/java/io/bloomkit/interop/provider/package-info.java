/** Provides the filters of this module to {@link java.util.ServiceLoader}. Not exported. */
@NullMarked
package io.bloomkit.interop.provider;

import org.jspecify.annotations.NullMarked;
