/** What the contracts and the tests of this library share. Not for users. */
@NullMarked
package io.bloomkit.testkit.internal;

import org.jspecify.annotations.NullMarked;
