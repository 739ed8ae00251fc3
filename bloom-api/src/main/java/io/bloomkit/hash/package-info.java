/**
 * Hash strategies: what turns an element into 64 well-mixed bits.
 *
 * <p>Start at {@link io.bloomkit.hash.HashStrategies} for the ready-made ones and at {@link
 * io.bloomkit.hash.HashStrategy} to write one. The functions themselves are package-private; most
 * come from hash4j, none of whose types shows in a signature. Depends on {@code
 * io.bloomkit.internal} only.
 *
 * <p><b>A new hash strategy</b> of your own takes four steps:
 *
 * <ol>
 *   <li>If one field of the element counts, use {@link io.bloomkit.hash.HashStrategy#on}; if
 *       several do, combine ready-made strategies by {@link
 *       io.bloomkit.hash.HashStrategies#composite}. The result is well mixed.
 *   <li>Otherwise implement {@link io.bloomkit.hash.HashStrategy}, or pass a function to {@link
 *       io.bloomkit.hash.HashStrategy#of}; for numbers use {@link
 *       io.bloomkit.hash.LongHashStrategy}, which does not box. Choose an id with a version in it,
 *       and change it whenever the function changes.
 *   <li>Examine the strategy on your own keys: {@code bloom examine --strategy my.Strategy
 *       --classpath my.jar keys.txt}, or {@code HashStrategyExamination} of bloom-testkit. The
 *       verdict must be FIT.
 *   <li>Implement {@code HashStrategyContract} of bloom-testkit in a test class, which keeps the
 *       verdict.
 * </ol>
 *
 * <p>docs/testing-your-hash.md goes through these steps with an example. A new ready-made strategy
 * of this package takes a factory method in {@link io.bloomkit.hash.HashStrategies}, a
 * package-private class unless an existing one does, and a name in {@code ReadyMadeStrategy} of the
 * command line; {@code ReadyMadeStrategyTest} and {@code GoldenFingerprintsTest} list them all.
 */
@NullMarked
package io.bloomkit.hash;

import org.jspecify.annotations.NullMarked;
