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
 * Examines a hash strategy by statistical tests on your own keys: do the bits of its hashes behave
 * like fair coin flips?
 *
 * <pre>{@code
 * ExaminationReport report =
 *     HashStrategyExamination.of(HashStrategies.utf8())
 *         .elements(KeySource.URLS.texts(1))
 *         .run();
 * report.assertFit();
 * }</pre>
 *
 * <p>The verdict holds only for the keys of the examination: the identity function is a good hash
 * of random numbers and a bad one of row numbers. So use the keys of your application, {@value
 * #DEFAULT_KEYS} or more. For a strategy for any keys, run one examination for each kind of {@link
 * KeySource}.
 *
 * <p><b>The tests.</b> They check that
 *
 * <ul>
 *   <li>an element has the same hash whenever and by whichever thread it is hashed, equal elements
 *       have equal hashes, and null is refused;
 *   <li>hashes, and their upper and lower halves, collide no more often than by chance;
 *   <li>each bit is set in half of the hashes, and each pair of bits differs in 48 to 52 % of them;
 *   <li>the positions that filters derive from hashes are uniform and independent of each other;
 *   <li>flipping a bit of a key flips each bit of the hash for half of the keys, and flips the
 *       leading bits of the derived positions independently of each other;
 *   <li>filters keep their false-positive rate: a model of flat filters, a model of blocked
 *       filters, and the kinds of {@link #filters}.
 * </ul>
 *
 * <p>The tests of flipped bits are skipped for keys whose bits are random, because no two of these
 * keys are similar. Tests are also skipped if there are too few keys for them.
 *
 * <p><b>Error probabilities.</b> An ideal hash gets the verdict {@link Verdict#WEAK} or {@link
 * Verdict#UNFIT} with a probability of at most {@value #ALPHA} over all tests (Bonferroni). The
 * power of a test is the probability that it detects the fault that its alternative names. A test
 * that finds nothing is {@link Verdict#INCONCLUSIVE} if its power is below {@value #POWER}. No test
 * detects a fault that it does not look for.
 *
 * <p>All random choices follow from a seed, which the report contains. The same keys and seed give
 * the same report, except for the speed. The time grows with the number of keys and the cost of a
 * hash, the memory with the number of keys.
 *
 * <p>An examination is not thread-safe. It calls the strategy by four threads of its own, besides
 * the calling one. Its methods throw {@link NullPointerException} if an argument is null.
 *
 * @param <T> the type of the elements
 */
public final class HashStrategyExamination<T> {

  /** The default number of distinct keys, 2<sup>18</sup>; see {@link #keys}. */
  public static final int DEFAULT_KEYS = 1 << 18;

  /** The upper bound of the probability that an examination finds a fault in an ideal hash. */
  public static final double ALPHA = 1e-6;

  /** The least power with which a test that finds nothing yields {@link Verdict#FIT}. */
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
   * @param <T> the type of the elements
   * @throws NullPointerException if the strategy is null
   * @throws IllegalArgumentException if the id of the strategy is invalid
   */
  public static <T> HashStrategyExamination<T> of(HashStrategy<? super T> strategy) {
    StrategyIdentity.of(strategy);
    return new HashStrategyExamination<>(strategy);
  }

  /**
   * Returns the {@linkplain io.bloomkit.format.FilterKinds#installed installed kinds} of {@link
   * io.bloomkit.InsertableFilter}s: all kinds of Bloomkit but aging filters. The default of {@link
   * #filters}.
   */
  public static List<FilterKind> installedFilters() {
    return FilterRates.installed();
  }

  /**
   * Sets the keys to the first distinct elements of a collection, up to the number of {@link
   * #keys}. Further elements are not read. Replaces keys that were set before.
   *
   * @param elements iterated once by each {@link #run}
   * @return this examination
   */
  public HashStrategyExamination<T> elements(Iterable<? extends T> elements) {
    reader = KeyReader.of(Objects.requireNonNull(elements, "elements"));
    return this;
  }

  /**
   * Sets the keys to the elements of the indexes from 0 on, up to the number of {@link #keys}.
   * Replaces keys that were set before.
   *
   * @param source returns the element of an index, such as a function of {@link KeySource}. Each
   *     call with the same index must return an equal element. Distinct indexes should have
   *     distinct elements: equal ones are skipped, and at most four indexes per key are tried.
   * @return this examination
   */
  public HashStrategyExamination<T> elements(LongFunction<? extends T> source) {
    reader = KeyReader.of(Objects.requireNonNull(source, "source"));
    return this;
  }

  /**
   * Sets how bits of the elements are flipped. This is built in for {@code Long}, {@code Integer},
   * {@code String}, {@code byte[]} and {@code UUID}. For other types, the tests of flipped bits are
   * skipped unless this is set.
   *
   * @return this examination
   */
  public HashStrategyExamination<T> flippingBits(KeyBits<T> keyBits) {
    bits = Objects.requireNonNull(keyBits, "keyBits");
    return this;
  }

  /**
   * Sets the largest number of distinct keys, {@value #DEFAULT_KEYS} by default. More keys detect
   * smaller faults and take more time and memory. There may be fewer distinct elements than this.
   *
   * @param number from 2 to 2<sup>24</sup>
   * @return this examination
   * @throws IllegalArgumentException if the number is out of its range
   */
  public HashStrategyExamination<T> keys(int number) {
    int most = 1 << 24;
    if (number < 2 || number > most) {
      throw new IllegalArgumentException("keys must be in [2, " + most + "], got " + number);
    }
    keys = number;
    return this;
  }

  /**
   * Sets the seed of all random choices: which keys are added to filters, which are queried, and in
   * which keys bits are flipped.
   *
   * @return this examination
   */
  public HashStrategyExamination<T> seed(long value) {
    seed = value;
    return this;
  }

  /**
   * Sets the kinds of filters in which the false-positive rate is measured, besides the two models.
   * By default {@link #installedFilters}.
   *
   * @return this examination
   * @throws IllegalArgumentException if the filters of a kind are not {@link
   *     io.bloomkit.InsertableFilter}s
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
   * Sets the listener for the progress of the examination.
   *
   * @return this examination
   */
  public HashStrategyExamination<T> listener(ExaminationListener value) {
    listener = Objects.requireNonNull(value, "listener");
    return this;
  }

  /**
   * Hashes the keys, runs all tests and returns the report. May be called again.
   *
   * @throws IllegalStateException if no elements were set
   * @throws IllegalArgumentException if there are fewer than two distinct elements, or if the
   *     strategy throws for an element or for one with a flipped bit. Then the message names the
   *     element, and the cause is the exception of the strategy.
   * @throws NullPointerException if an element is null
   */
  public ExaminationReport run() {
    if (reader == null) {
      throw new IllegalStateException("no elements were given: call elements()");
    }
    List<T> distinct = reader.read(keys);
    if (distinct.size() < 2) {
      throw new IllegalArgumentException(
          "there must be at least 2 distinct elements, got " + distinct.size());
    }
    return new ExaminationRun<>(
            new KeySample<>(strategy, distinct, reader, bits, seed),
            new ArrayList<>(filters),
            listener)
        .report();
  }
}
