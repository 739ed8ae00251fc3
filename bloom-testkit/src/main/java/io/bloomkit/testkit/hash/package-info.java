/**
 * Tests hash strategies on your own keys.
 *
 * <p>An examination asks questions about the hashes of a strategy and answers each by a test. Run
 * an {@link io.bloomkit.testkit.hash.HashStrategyExamination}, or implement {@link
 * io.bloomkit.testkit.hash.HashStrategyContract} in a test class. The result is an {@link
 * io.bloomkit.testkit.hash.ExaminationReport} with a {@link io.bloomkit.testkit.hash.Verdict}. The
 * report has an {@link io.bloomkit.testkit.hash.ExaminationTest} per test, with the question, its
 * source, the p-value, the significance level α and the power.
 *
 * <p><b>Statistics.</b> The significance levels of all tests add up to at most {@link
 * io.bloomkit.testkit.hash.HashStrategyExamination#ALPHA} (Bonferroni). The distributions are in
 * {@code io.bloomkit.testkit.stat}: {@link io.bloomkit.testkit.stat.Binomial} for collisions and
 * rates, {@link io.bloomkit.testkit.stat.FairCoins} for bits and flipped bits, {@link
 * io.bloomkit.testkit.stat.ChiSquares} for positions, {@link io.bloomkit.testkit.stat.FillTest} for
 * the fill of filters.
 *
 * <p>In the source code, {@code HashTest} lists the questions and {@code ExaminationRun} runs their
 * tests.
 */
@NullMarked
package io.bloomkit.testkit.hash;

import org.jspecify.annotations.NullMarked;
