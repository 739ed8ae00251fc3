package io.bloomkit.testkit.hash;

import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.testkit.ContractSeeds;
import io.bloomkit.testkit.keys.KeySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Examines a hash strategy: tests by statistics, on keys of your own, whether its hashes are as
 * good as coin flips.
 *
 * <pre>{@code
 * ExaminationReport report =
 *     HashStrategyExamination.of(HashStrategies.utf8())
 *         .elements(KeySource.URLS.texts(1))
 *         .run();
 * report.assertFit();
 * }</pre>
 *
 * <p>The verdict holds for the keys of the examination: identity is a good hash of random numbers
 * and a bad one of row numbers. Use the keys of your application, {@value #DEFAULT_KEYS} or more.
 * {@link KeySource} has the usual kinds for a general strategy.
 *
 * <p><b>What is asked.</b> Whether an element has one hash, equal elements equal ones, and null is
 * refused. Whether hashes and their halves collide more often than by chance. Whether each bit is
 * set in half of the hashes, and each two bits differ in half of them. Whether the positions that
 * filters derive are uniform and independent of each other. Whether flipping a bit of a key flips
 * each bit of the hash in half of the keys, and the positions in no pattern; but not of keys that
 * are coin flips themselves, of which no two are alike. And whether filters keep their
 * false-positive rate: a model of flat and of blocked filters, and every kind of filter on the
 * class path.
 *
 * <p><b>How sure it is.</b> It calls an ideal hash anything but {@link Verdict#FIT} with a
 * probability of at most {@value #ALPHA}, all questions together (Bonferroni); so a finding is a
 * finding. A test finds the fault that its alternative names with a power of at least 0.99, or the
 * verdict is {@link Verdict#INCONCLUSIVE}. A structure that no test looks for is not found.
 *
 * <p>All random choices follow from a seed, which the report names: the same keys give the same
 * report, except for the speed. Takes a few seconds and some ten bytes per key besides the keys;
 * longer for strategies that take over 500 ns per hash. Not thread-safe.
 *
 * @param <T> the type of the elements
 */
public final class HashStrategyExamination<T> {

  /** How many distinct keys are hashed, unless {@link #keys} says otherwise: 2<sup>18</sup>. */
  public static final int DEFAULT_KEYS = 1 << 18;

  /** Σα: how often an ideal hash is not called fit, at most. */
  public static final double ALPHA = 1e-6;

  /** The power that a test must have before its silence counts. */
  public static final double POWER = 0.99;

  private final HashStrategy<? super T> strategy;
  private @Nullable KeyReader<T> reader;
  private @Nullable KeyBits<T> bits;
  private int keys = DEFAULT_KEYS;
  private long seed = ContractSeeds.HISTORY;
  private List<FilterKind> filters = FilterRates.installed();
  private ExaminationListener listener = (step, number, steps) -> {};

  private HashStrategyExamination(HashStrategy<? super T> strategy) {
    this.strategy = strategy;
  }

  /**
   * Returns an examination of a strategy.
   *
   * @throws NullPointerException if the strategy is null
   * @throws IllegalArgumentException if its id is not one
   */
  public static <T> HashStrategyExamination<T> of(HashStrategy<? super T> strategy) {
    StrategyIdentity.of(strategy);
    return new HashStrategyExamination<>(strategy);
  }

  /**
   * Returns the kinds of {@link io.bloomkit.format.FilterKinds#installed} whose filters take
   * elements until they are removed: those in which the rate is measured unless {@link #filters}
   * says otherwise.
   */
  public static List<FilterKind> installedFilters() {
    return FilterRates.installed();
  }

  /**
   * Sets the keys: the first distinct ones of these, as many as {@link #keys} says. What is left is
   * not looked at.
   *
   * @param elements iterated once
   * @return this examination
   */
  public HashStrategyExamination<T> elements(Iterable<? extends T> elements) {
    reader = KeyReader.of(Objects.requireNonNull(elements, "elements"));
    return this;
  }

  /**
   * Sets the keys to those of the indexes from 0 on, as many as {@link #keys} says.
   *
   * @param source makes an element of an index, at every call an equal one; distinct ones for
   *     distinct indexes. See {@link KeySource}.
   * @return this examination
   */
  public HashStrategyExamination<T> elements(LongFunction<? extends T> source) {
    reader = KeyReader.of(Objects.requireNonNull(source, "source"));
    return this;
  }

  /**
   * Says how bits of the elements are flipped. Need not be said of {@code Long}, {@code Integer},
   * {@code String}, {@code byte[]} and {@code UUID}; without it, elements of other types are not
   * asked whether each of their bits reaches every bit of the hash.
   *
   * @return this examination
   */
  public HashStrategyExamination<T> flippingBits(KeyBits<T> keyBits) {
    bits = Objects.requireNonNull(keyBits, "keyBits");
    return this;
  }

  /**
   * Sets how many distinct keys to hash, {@value #DEFAULT_KEYS} by default. More find smaller
   * faults, and are kept in memory.
   *
   * @param number from 2 to 2<sup>24</sup>
   * @return this examination
   * @throws IllegalArgumentException if the number is out of its range
   */
  public HashStrategyExamination<T> keys(int number) {
    int most = 1 << 24;
    if (number < 2 || number > most) {
      throw new IllegalArgumentException("keys must lie in [2, " + most + "] but is " + number);
    }
    keys = number;
    return this;
  }

  /**
   * Sets the seed of all that is random here: which keys are added to filters and which are asked
   * for, and which keys' bits are flipped.
   *
   * @return this examination
   */
  public HashStrategyExamination<T> seed(long value) {
    seed = value;
    return this;
  }

  /**
   * Sets the kinds of filters in which the rate is measured, besides the two models. By default
   * {@link #installedFilters}.
   *
   * @return this examination
   * @throws IllegalArgumentException if the filters of a kind are no {@link
   *     io.bloomkit.InsertableFilter}
   */
  public HashStrategyExamination<T> filters(List<? extends FilterKind> kinds) {
    for (FilterKind kind : kinds) {
      if (!kind.isInsertable()) {
        throw new IllegalArgumentException(
            "kinds must be of insertable filters, got " + kind.label());
      }
    }
    filters = List.copyOf(kinds);
    return this;
  }

  /**
   * Sets who is told how far the examination is.
   *
   * @return this examination
   */
  public HashStrategyExamination<T> listener(ExaminationListener value) {
    listener = Objects.requireNonNull(value, "listener");
    return this;
  }

  /**
   * Hashes the keys, asks all questions, and returns what was found. May be called again.
   *
   * @throws IllegalStateException if no elements were given
   * @throws IllegalArgumentException if there are fewer than two distinct ones; or if the strategy
   *     throws for an element, or for one with a bit flipped: the message says for which, and what
   *     it threw is the cause
   * @throws NullPointerException if an element is null
   */
  public ExaminationReport run() {
    if (reader == null) {
      throw new IllegalStateException("no elements were given: call elements()");
    }
    List<T> distinct = reader.read(keys);
    if (distinct.size() < 2) {
      throw new IllegalArgumentException(
          "there must be at least 2 distinct elements but there are " + distinct.size());
    }
    return new ExaminationRun<>(
            new KeySample<>(strategy, distinct, reader, bits, seed),
            new ArrayList<>(filters),
            listener)
        .report();
  }
}
