/**
 * Filters of single bits: the smallest, for sets from which nothing is removed. And what reads and
 * writes those of Guava.
 */
@NullMarked
package io.bloomkit.classic;

import org.jspecify.annotations.NullMarked;
