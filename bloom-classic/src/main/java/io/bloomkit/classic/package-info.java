/** Filters of single bits: the smallest, for sets from which nothing is removed. */
@NullMarked
package io.bloomkit.classic;

import org.jspecify.annotations.NullMarked;
