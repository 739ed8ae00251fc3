/**
 * Statistics of query results, fills and counts: binomial tails and intervals, chi-square tests,
 * and the distribution of the number of set positions.
 *
 * <p>Plain classes, also for experiments of your own. Every test is exact or documents its
 * approximation, and states its power. Depends on the shapes and formulas of {@code io.bloomkit}
 * only; the other packages of the testkit depend on this one.
 *
 * <p>Start with {@link io.bloomkit.testkit.stat.Binomial}. The rate of a filter is tested in two
 * steps: {@link io.bloomkit.testkit.stat.SetPositionsCheck} and {@link
 * io.bloomkit.testkit.stat.AnswersCheck}.
 */
@NullMarked
package io.bloomkit.testkit.stat;

import org.jspecify.annotations.NullMarked;
