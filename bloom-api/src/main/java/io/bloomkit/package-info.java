/**
 * The interfaces, sizes and formulas that all filters of Bloomkit share.
 *
 * <p>Start at {@link io.bloomkit.MembershipFilter}, which has the queries. {@link
 * io.bloomkit.InsertableFilter} adds insertion, and {@link io.bloomkit.DeletableFilter} adds
 * removal. {@link io.bloomkit.Shape#of} computes a size from a number of elements and a
 * false-positive probability. The filter classes are in other modules.
 *
 * <p>Glossary, in the words of the literature:
 *
 * <dl>
 *   <dt>element
 *   <dd>an object that is added or queried; a {@link io.bloomkit.hash.HashStrategy} turns it into a
 *       hash of 64 bits
 *   <dt>position
 *   <dd>a bit or a counter of a filter; a filter has <i>m</i> positions
 *   <dt>hashes, k
 *   <dd>the number of positions that an element takes
 *   <dt>positive
 *   <dd>a query for which {@code mightContain} returns true, and the element queried
 *   <dt>false positive
 *   <dd>an element that is positive although it is absent
 *   <dt>false-positive probability, false-positive rate, rate, fpp, ε
 *   <dd>the probability that the query of an element that was never added is positive
 *   <dt>flat filter
 *   <dd>a filter in which an element may take any of the positions
 *   <dt>blocked filter
 *   <dd>a filter in which all positions of an element lie in one block; see {@link
 *       io.bloomkit.BlockedShape}
 *   <dt>set
 *   <dd>of a position: not zero
 *   <dt>fill ratio
 *   <dd>the share of positions that are set
 *   <dt>plan
 *   <dd>the number of elements and the false-positive rate that a filter was made for; see {@link
 *       io.bloomkit.FilterPlan}
 * </dl>
 *
 * <p>No method of this package accepts or returns null, except that {@code equals} accepts it. A
 * method throws {@link java.lang.NullPointerException} if an argument is null.
 */
@NullMarked
package io.bloomkit;

import org.jspecify.annotations.NullMarked;
