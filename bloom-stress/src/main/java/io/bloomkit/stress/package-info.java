/** Races on the concurrent filters, run by jcstress. */
@NullMarked
package io.bloomkit.stress;

import org.jspecify.annotations.NullMarked;
