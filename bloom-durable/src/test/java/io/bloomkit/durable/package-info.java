@NullMarked
package io.bloomkit.durable;

import org.jspecify.annotations.NullMarked;
