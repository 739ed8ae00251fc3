/**
 * Contracts that a test class of a filter implements.
 *
 * <p>A test class implements a contract and two or three small methods; the tests come with it:
 *
 * <ul>
 *   <li>{@link io.bloomkit.testkit.MembershipFilterContract} for every filter, including one that
 *       can only be queried,
 *   <li>{@link io.bloomkit.testkit.InsertableFilterContract} for every filter with insertions,
 *   <li>{@link io.bloomkit.testkit.DeletableFilterContract} for every filter with removals,
 *   <li>{@link io.bloomkit.testkit.ConcurrentDeletableFilterContract} for one with removals by any
 *       number of threads,
 *   <li>{@link io.bloomkit.testkit.FlatCountingFilterContract} for one whose state is a multiset,
 *   <li>{@link io.bloomkit.testkit.FalsePositiveRateContract} for the rate of any filter, and
 *       {@link io.bloomkit.testkit.FlatFalsePositiveRateContract} or {@link
 *       io.bloomkit.testkit.BlockedFalsePositiveRateContract} where its set positions can be
 *       counted,
 *   <li>{@link io.bloomkit.testkit.AllocationContract} for one whose operations allocate nothing.
 * </ul>
 *
 * <p>Hash strategies have their contract in {@code io.bloomkit.testkit.hash}, files in {@code
 * io.bloomkit.testkit.file}. {@link io.bloomkit.testkit.AuditedFilter} wraps a filter and detects
 * wrong removals, {@link io.bloomkit.testkit.Racer} runs threads at the same time. This package
 * depends on {@code io.bloomkit.testkit.stat} and on no other package of the testkit. Start with
 * {@link io.bloomkit.testkit.InsertableFilterContract}.
 *
 * <p>The contracts mix tests of JUnit Jupiter with properties of jqwik. Both engines come with this
 * module; the contracts fail if one is missing. Set {@code jqwik.database = target/.jqwik-database}
 * in {@code junit-platform.properties}, or jqwik leaves a file in the working directory. The
 * statistical tests of rates have the tag {@code rate} and those of allocations {@code allocation};
 * mutation testing excludes both.
 */
@NullMarked
package io.bloomkit.testkit;

import org.jspecify.annotations.NullMarked;
