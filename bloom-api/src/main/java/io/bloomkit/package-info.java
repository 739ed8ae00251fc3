/**
 * What every filter of Bloomkit shares: the interfaces, the sizes and the mathematics.
 *
 * <p>Start at {@link io.bloomkit.MembershipFilter} and the two interfaces that extend it; {@link
 * io.bloomkit.Shape} turns a number of elements and a false-positive probability into a size. The
 * filters themselves are in modules of their own. Depends on {@code io.bloomkit.hash}.
 *
 * <p>Glossary, in the words of the literature:
 *
 * <dl>
 *   <dt>element
 *   <dd>what is added and queried; a {@link io.bloomkit.hash.HashStrategy} turns it into 64 bits
 *   <dt>position
 *   <dd>a bit or a counter of a filter; there are <i>m</i> of them
 *   <dt>hashes, k
 *   <dd>how many positions an element takes
 *   <dt>positive
 *   <dd>a query is positive if {@code mightContain} returns true: for every stored element, and for
 *       a few that are absent
 *   <dt>false positive
 *   <dd>an absent element whose query is positive
 *   <dt>false-positive probability, fpp, ε
 *   <dd>the probability that the query of an element that was never added is positive
 *   <dt>fill
 *   <dd>how many positions are set, that is, not zero
 * </dl>
 *
 * <p>Nothing in this package accepts or returns null.
 */
@NullMarked
package io.bloomkit;

import org.jspecify.annotations.NullMarked;
