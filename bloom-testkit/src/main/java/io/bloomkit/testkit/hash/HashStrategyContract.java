package io.bloomkit.testkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.internal.ContractSeeds;
import io.bloomkit.testkit.internal.Engines;
import io.bloomkit.testkit.keys.KeySource;
import java.util.stream.Stream;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;

/**
 * Tests a {@link HashStrategy} by an {@linkplain HashStrategyExamination examination}. A test class
 * implements this interface and its two abstract methods, which return the strategy and elements:
 *
 * <pre>{@code
 * class OrderHashTest implements HashStrategyContract<Order> {
 *   public HashStrategy<Order> strategy() {
 *     return new OrderHash();
 *   }
 *
 *   public Order element(long index) {
 *     return new Order(KeySource.IDS.texts(1).apply(index));
 *   }
 * }
 * }</pre>
 *
 * <p>JUnit reports each test of the examination separately. In addition, jqwik searches for single
 * elements and pairs of elements that show a fault. If jqwik finds a fault, it searches for smaller
 * indexes that show the same fault.
 *
 * @param <T> the type of the elements
 */
public interface HashStrategyContract<T> {

  /** Returns the strategy to test. */
  HashStrategy<? super T> strategy();

  /**
   * Returns the element of an index. The same index must give an equal element; distinct indexes
   * must give distinct elements.
   *
   * @param index any number from 0 to {@link KeySource#LAST_INDEX}
   */
  T element(long index);

  /**
   * Returns the examination to run. By default, it examines {@link #strategy} on the elements of
   * {@link #element}. Override this method to set, for example, another number of keys.
   */
  default HashStrategyExamination<T> examination() {
    return HashStrategyExamination.<T>of(strategy()).elements(this::element);
  }

  @Test
  default void jqwikIsThereAndTheSeedsAreReported(TestReporter reporter) {
    Engines.requireEngine("jqwik");
    reporter.publishEntry("jqwik seed", ContractSeeds.JQWIK);
    reporter.publishEntry("seed of the examination", Long.toString(ContractSeeds.HISTORY));
  }

  @Example
  default void jupiterIsThere() {
    Engines.requireEngine("junit-jupiter");
  }

  /** Reports each test of the examination, and tests that the verdict is {@link Verdict#FIT}. */
  @TestFactory
  default Stream<DynamicTest> theStrategyIsFit() {
    ExaminationReport report = examination().run();
    Stream<DynamicTest> questions =
        report.tests().stream()
            .map(test -> DynamicTest.dynamicTest(test.name(), test::assertPassed));
    return Stream.concat(
        questions, Stream.of(DynamicTest.dynamicTest("verdict", report::assertFit)));
  }

  @Property(seed = ContractSeeds.JQWIK)
  default void equalElementsHaveEqualHashes(
      @ForAll @LongRange(min = 0, max = KeySource.LAST_INDEX) long index) {
    long hash = strategy().hash(element(index));
    assertEquals(
        hash, strategy().hash(element(index)), () -> "the hash of " + shown(index) + " again");
  }

  /**
   * Tests that two distinct elements have different hashes, for 1,000 random pairs of elements.
   * With an ideal hash, the test fails by chance with a probability of 5·10<sup>-17</sup>.
   */
  @Property(seed = ContractSeeds.JQWIK)
  default void differentElementsHaveDifferentHashes(
      @ForAll @LongRange(min = 0, max = KeySource.LAST_INDEX) long index,
      @ForAll @LongRange(min = 0, max = KeySource.LAST_INDEX) long other) {
    T element = element(index);
    Assume.that(!KeyTypes.identity(element).equals(KeyTypes.identity(element(other))));
    assertNotEquals(
        strategy().hash(element),
        strategy().hash(element(other)),
        () -> shown(index) + " and " + shown(other) + " share a hash");
  }

  private String shown(long index) {
    return ContractTests.shown(element(index));
  }
}
