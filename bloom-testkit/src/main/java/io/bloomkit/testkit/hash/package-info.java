/**
 * Tests hash strategies on your own keys.
 *
 * <p>{@link io.bloomkit.testkit.hash.HashStrategyExamination} is the examination as a call and
 * {@link io.bloomkit.testkit.hash.HashStrategyContract} as a test class; both give an {@link
 * io.bloomkit.testkit.hash.ExaminationReport} with a {@link io.bloomkit.testkit.hash.Verdict}. To
 * read the code, start with {@code HashQuestion}, the list of questions, and {@code
 * ExaminationRun}, which runs their tests; the classes named {@code …Questions}, {@code Collisions}
 * and {@code FilterRates} contain the tests.
 *
 * <p><b>The statistics behind FIT.</b> {@code HashQuestion} names the test of each question and its
 * source. {@code ExaminationRun} divides the total error probability {@link
 * io.bloomkit.testkit.hash.HashStrategyExamination#ALPHA} among the tests (Bonferroni). The classes
 * that answer questions compute p-value and power. The distributions are in {@code
 * io.bloomkit.testkit.stat}: {@link io.bloomkit.testkit.stat.Binomial} for collisions and rates,
 * {@link io.bloomkit.testkit.stat.FairCoins} for bits and avalanche, {@link
 * io.bloomkit.testkit.stat.ChiSquares} for positions, {@link
 * io.bloomkit.testkit.stat.SetPositionsCheck} for the fill of filters. {@code
 * HashQuestion.statistical} makes the verdict of one test from its p-value and power.
 *
 * <p>Depends on {@code io.bloomkit.testkit.stat} for the statistics, on {@code
 * io.bloomkit.testkit.keys} for the range of key indexes, and on {@code io.bloomkit.testkit} for
 * the seeds, the engines and the count of allocated bytes.
 */
@NullMarked
package io.bloomkit.testkit.hash;

import org.jspecify.annotations.NullMarked;
