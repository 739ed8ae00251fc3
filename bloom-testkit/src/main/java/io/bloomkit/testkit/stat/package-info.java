/**
 * Statistical tests of filters and hashes: binomial tails and intervals, chi-square tests, and the
 * distribution of the number of set positions.
 *
 * <p>The classes do not depend on a test engine, so use them for experiments of your own as well.
 * Every test is exact or documents its approximation, and states its power. The classes that
 * collect observations are not thread-safe.
 *
 * <p>Start with {@link io.bloomkit.testkit.stat.Binomial}. To test the false-positive rate of a
 * filter, use two classes: {@link io.bloomkit.testkit.stat.FillTest} tests how many positions are
 * set, and {@link io.bloomkit.testkit.stat.RateTest} tests how many queries are positive given the
 * set positions.
 */
@NullMarked
package io.bloomkit.testkit.stat;

import org.jspecify.annotations.NullMarked;
