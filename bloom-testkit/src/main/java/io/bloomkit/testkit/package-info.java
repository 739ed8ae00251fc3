/**
 * Contracts for tests of your own filters. Start with {@link
 * io.bloomkit.testkit.InsertableFilterContract}.
 *
 * <p>A contract is an interface with test methods. A test class implements the contract and its few
 * abstract methods, and inherits the tests. The name of a test method states what it tests.
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
 *       filter,
 *   <li>{@link io.bloomkit.testkit.AllocationContract} for a filter whose operations allocate
 *       nothing.
 * </ul>
 *
 * <p>The package {@code io.bloomkit.testkit.hash} has the contract of hash strategies. {@link
 * io.bloomkit.testkit.AuditedFilter} wraps a filter in your own tests and detects removals of
 * elements that were not added.
 *
 * <p>The contracts have tests of JUnit Jupiter and properties of jqwik. Both engines are
 * dependencies of this module; a contract with properties fails if one of them is missing. By
 * default, jqwik writes its database to the working directory. To move it, set {@code
 * jqwik.database = target/.jqwik-database} in {@code junit-platform.properties}. Long tests have
 * the tag {@code deep}, by which a build can exclude them.
 */
@NullMarked
package io.bloomkit.testkit;

import org.jspecify.annotations.NullMarked;
