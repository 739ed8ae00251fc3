/**
 * Contracts that a test class of a filter implements. Start with {@link
 * io.bloomkit.testkit.InsertableFilterContract}.
 *
 * <p>A test class implements a contract and its few abstract methods, and inherits the tests. The
 * name of a test method states what it tests.
 *
 * <ul>
 *   <li>{@link io.bloomkit.testkit.MembershipFilterContract} for a filter that can only be queried,
 *   <li>{@link io.bloomkit.testkit.InsertableFilterContract} for a filter with insertions,
 *   <li>{@link io.bloomkit.testkit.DeletableFilterContract} for a filter with removals,
 *   <li>{@link io.bloomkit.testkit.ConcurrentDeletableFilterContract} for a filter with thread-safe
 *       removals,
 *   <li>{@link io.bloomkit.testkit.FlatCountingFilterContract} for a filter with removals whose
 *       state does not depend on the order of operations,
 *   <li>{@link io.bloomkit.testkit.FalsePositiveRateContract} for the false-positive rate of any
 *       filter, or {@link io.bloomkit.testkit.FlatFalsePositiveRateContract} or {@link
 *       io.bloomkit.testkit.BlockedFalsePositiveRateContract} if its set positions can be counted,
 *   <li>{@link io.bloomkit.testkit.AllocationContract} for a filter whose operations allocate
 *       nothing.
 * </ul>
 *
 * <p>The contract of hash strategies is in {@code io.bloomkit.testkit.hash}, those of files are in
 * {@code io.bloomkit.testkit.file}. {@link io.bloomkit.testkit.AuditedFilter} wraps a filter and
 * detects wrong removals.
 *
 * <p>The contracts mix tests of JUnit Jupiter with properties of jqwik. Both engines are
 * dependencies of this module; a contract with properties fails if one of them is missing. Set
 * {@code jqwik.database = target/.jqwik-database} in {@code junit-platform.properties}, or jqwik
 * leaves a file in the working directory. A build can exclude tests by their tags: {@code rate} for
 * the tests of the rate contracts, {@code allocation} for the test of {@code AllocationContract},
 * {@code deep} for long tests.
 */
@NullMarked
package io.bloomkit.testkit;

import org.jspecify.annotations.NullMarked;
