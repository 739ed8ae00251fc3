/** Names the filters of this module to {@link java.util.ServiceLoader}; not exported. */
@NullMarked
package io.bloomkit.counting.provider;

import org.jspecify.annotations.NullMarked;
