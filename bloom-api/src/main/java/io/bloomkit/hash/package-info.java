/**
 * Hash strategies, which turn an element into 64 well-mixed bits.
 *
 * <p>{@link io.bloomkit.hash.HashStrategies} has the ready-made strategies. To write your own:
 *
 * <ol>
 *   <li>If one field identifies an element, use {@link io.bloomkit.hash.HashStrategy#on on}. If
 *       several fields identify an element, use {@link io.bloomkit.hash.HashStrategies#composite}.
 *       The result is as well mixed as the ready-made strategies that it combines.
 *   <li>Otherwise implement {@link io.bloomkit.hash.HashStrategy}, or pass a function to {@link
 *       io.bloomkit.hash.HashStrategy#of of}. For numbers use {@link
 *       io.bloomkit.hash.LongHashStrategy}, which does not box. Choose an id that contains a
 *       version. Change the id whenever the function changes.
 *   <li>Examine the strategy on your own keys: {@code bloom examine --strategy my.Strategy
 *       --classpath my.jar keys.txt}, or {@code HashStrategyExamination} of bloom-testkit. The
 *       verdict must be FIT.
 *   <li>Implement {@code HashStrategyContract} of bloom-testkit in a test class, which then fails
 *       if the verdict changes.
 * </ol>
 *
 * <p>docs/testing.md shows these steps with an example.
 *
 * <p><b>A new ready-made strategy</b> of this package needs a factory method in {@link
 * io.bloomkit.hash.HashStrategies} and a name in {@code ReadyMadeStrategy} of the command line.
 * {@code ReadyMadeStrategyTest} and {@code GoldenFingerprintsTest} list all of them.
 */
@NullMarked
package io.bloomkit.hash;

import org.jspecify.annotations.NullMarked;
