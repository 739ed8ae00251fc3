/**
 * The parts that the formats of other libraries have in common: words that arrive, and refusals.
 *
 * <p>Not exported. The packages of the formats use it; it depends on bloom-api only.
 */
@NullMarked
package io.bloomkit.classic.foreign;

import org.jspecify.annotations.NullMarked;
