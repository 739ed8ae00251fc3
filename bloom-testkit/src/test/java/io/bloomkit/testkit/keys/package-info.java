/** Every kind of keys is distinct, repeatable, and what it says. */
@NullMarked
package io.bloomkit.testkit.keys;

import org.jspecify.annotations.NullMarked;
