/**
 * Kinds of keys on which to test a hash strategy. Start with {@link
 * io.bloomkit.testkit.keys.KeySource}. Depends on nothing else of Bloomkit.
 */
@NullMarked
package io.bloomkit.testkit.keys;

import org.jspecify.annotations.NullMarked;
