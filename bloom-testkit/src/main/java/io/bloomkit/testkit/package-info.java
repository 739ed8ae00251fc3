/**
 * Contracts and statistics to run on one's own filters and hash strategies.
 *
 * <p>A test class implements a contract and two or three small methods; the tests come with it:
 *
 * <ul>
 *   <li>{@link io.bloomkit.testkit.HashStrategyContract} for every hash strategy,
 *   <li>{@link io.bloomkit.testkit.MembershipFilterContract} for every filter, also one that can
 *       only be asked,
 *   <li>{@link io.bloomkit.testkit.InsertableFilterContract} for every filter that can be filled,
 *   <li>{@link io.bloomkit.testkit.DeletableFilterContract} for every filter that can forget,
 *   <li>{@link io.bloomkit.testkit.FlatCountingFilterContract} for one whose state is a multiset,
 *   <li>{@link io.bloomkit.testkit.FalsePositiveRateContract} for the rate of any filter, and
 *       {@link io.bloomkit.testkit.FlatFalsePositiveRateContract} or {@link
 *       io.bloomkit.testkit.BlockedFalsePositiveRateContract} where its set positions can be
 *       counted,
 *   <li>{@link io.bloomkit.testkit.AgingFilterContract} for a filter that remembers a number of
 *       additions, and {@link io.bloomkit.testkit.TimedAgingFilterContract} for one that remembers
 *       a stretch of time,
 *   <li>{@link io.bloomkit.testkit.FileFormatContract} for one that is written and read.
 * </ul>
 *
 * <p>The contracts mix tests of JUnit Jupiter with properties of jqwik. Both engines come with this
 * module; one that is missing is a failure. Modules that use the contracts set {@code
 * jqwik.database = target/.jqwik-database} in their {@code junit-platform.properties}, or jqwik
 * leaves a file in the working directory. The statistical tests of rates bear the tag {@code rate}
 * and those of garbage {@code allocation}, by which a build that repeats the others thousands of
 * times leaves them out.
 *
 * <p>{@link io.bloomkit.testkit.HashStrategyExamination} judges a hash strategy on keys of one's
 * own without a test class, by the same tests; {@link io.bloomkit.testkit.KeySource} has the usual
 * kinds of keys.
 *
 * <p>{@link io.bloomkit.testkit.Binomial}, {@link io.bloomkit.testkit.AnswersCheck} and {@link
 * io.bloomkit.testkit.SetPositionsCheck} are plain classes, for experiments of one's own. {@link
 * io.bloomkit.testkit.AuditedFilter} wraps a filter and finds wrong removals.
 */
@NullMarked
package io.bloomkit.testkit;

import org.jspecify.annotations.NullMarked;
