/**
 * Kinds of keys to try a hash strategy on. Depends on nothing else of Bloomkit; {@link
 * io.bloomkit.testkit.keys.KeySource} is where to start.
 */
@NullMarked
package io.bloomkit.testkit.keys;

import org.jspecify.annotations.NullMarked;
