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
 *   <dd>what is added and asked for; a {@link io.bloomkit.hash.HashStrategy} turns it into 64 bits
 *   <dt>position
 *   <dd>a bit or a counter of a filter; there are <i>m</i> of them
 *   <dt>hashes, k
 *   <dd>how many positions an element takes
 *   <dt>claimed
 *   <dd>an element is claimed if {@code mightContain} answers true for it: every element that is in
 *       the filter, and a few that are not
 *   <dt>false positive
 *   <dd>an element that is claimed but is not in the filter
 *   <dt>false-positive probability, fpp, ε
 *   <dd>how likely an element that was never added is claimed
 *   <dt>fill
 *   <dd>how many positions are set, that is, not zero
 * </dl>
 *
 * <p>Nothing in this package accepts or returns null.
 */
@NullMarked
package io.bloomkit;

import org.jspecify.annotations.NullMarked;
