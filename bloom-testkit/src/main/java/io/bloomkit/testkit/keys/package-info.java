/**
 * Kinds of keys on which to test a hash strategy; see {@link io.bloomkit.testkit.keys.KeySource}.
 */
@NullMarked
package io.bloomkit.testkit.keys;

import org.jspecify.annotations.NullMarked;
