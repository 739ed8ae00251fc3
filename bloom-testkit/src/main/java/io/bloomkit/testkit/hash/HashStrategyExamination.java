package io.bloomkit.testkit.hash;

import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.testkit.internal.ContractSeeds;
import io.bloomkit.testkit.keys.KeySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Examines a hash strategy by statistical tests on your own keys. The tests find out whether the
 * bits of the hashes behave like fair coin flips.
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
 * of random numbers but a bad hash of row numbers. So use the keys of your application, {@value
 * #DEFAULT_KEYS} or more. To examine a strategy for arbitrary keys, run one examination per kind of
 * {@link KeySource}.
 *
 * <p><b>The tests</b> check that
 *
 * <ul>
 *   <li>repeated hashing of an element in any thread gives the same hash, equal elements have equal
 *       hashes, and null is refused;
 *   <li>hashes, their upper halves and their lower halves collide no more often than by chance;
 *   <li>each bit is set in half of the hashes, and any two bits differ from each other in 48 to 52
 *       % of the hashes;
 *   <li>the positions (bits or counters) that filters derive from hashes are uniform and
 *       independent of each other;
 *   <li>flipping a bit of a key flips each bit of the hash for half of the keys;
 *   <li>flipping a bit of a key flips any two bits of the derived positions independently of each
 *       other (tested for the eight leading bits of each position);
 *   <li>filters have the planned false-positive rate: a simulated {@linkplain io.bloomkit.Shape
 *       flat} filter, a simulated {@linkplain io.bloomkit.BlockedShape blocked} filter, and a
 *       filter of each kind set by {@link #filters}.
 * </ul>
 *
 * <p><b>Skipped tests.</b> A test is skipped if there are too few keys for it. The tests of flipped
 * bits are skipped if the examination {@linkplain #flippingBits cannot flip} bits of the keys. They
 * are also skipped if a statistical test finds that the bits of the keys are random, because random
 * keys almost never differ in one bit only, so the result would not matter for them. The test of
 * equal elements needs a second object that is equal to a key. This object comes from a second call
 * of the function that creates the keys, or from flipping a bit of the key twice. The test is
 * skipped if neither is possible.
 *
 * <p><b>Error probabilities.</b> An ideal hash gets the verdict {@link Verdict#WEAK} or {@link
 * Verdict#UNFIT} with a probability of at most {@value #ALPHA} over all tests (Bonferroni). The
 * power of a test is the probability that the test detects the fault described in {@link
 * ExaminationTest#alternative()}. A test that finds no fault is {@link Verdict#INCONCLUSIVE} if its
 * power is below {@value #POWER}. Faults that no {@code alternative()} describes may remain
 * undetected.
 *
 * <p>All random choices follow from a seed, which the report contains. The same keys and seed give
 * the same report, except for the speed. Time and memory grow with the number of keys. The time
 * also grows with the cost of a hash.
 *
 * <p>An examination is not thread-safe. It calls the strategy from the calling thread and from four
 * threads of its own. Its methods throw {@link NullPointerException} if an argument is null.
 *
 * @param <T> the type of the elements
 */
public final class HashStrategyExamination<T> {

  /** The default number of distinct keys, 2<sup>18</sup>; see {@link #keys}. */
  public static final int DEFAULT_KEYS = 1 << 18;

  /** An upper bound of the probability that an examination finds a fault in an ideal hash. */
  public static final double ALPHA = 1e-6;

  /** The least power at which a test that finds no fault has the verdict {@link Verdict#FIT}. */
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
   * Returns the {@linkplain io.bloomkit.format.FilterKind#installed installed kinds} of {@link
   * io.bloomkit.InsertableFilter}s, which are the default of {@link #filters}. All kinds in
   * Bloomkit are kinds of {@code InsertableFilter}s, except {@code ExpiringCuckooFilter}.
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
   * Sets the keys to the elements of the indexes 0, 1, 2 and so on, up to the number of {@link
   * #keys}. Replaces keys that were set before.
   *
   * @param source returns the element of an index, such as a function of {@link KeySource}. Each
   *     call with the same index must return an equal element. Distinct indexes should give
   *     distinct elements. Repeated elements are skipped; the examination tries at most 4 · {@link
   *     #keys} indexes.
   * @return this examination
   */
  public HashStrategyExamination<T> elements(LongFunction<? extends T> source) {
    reader = KeyReader.of(Objects.requireNonNull(source, "source"));
    return this;
  }

  /**
   * Sets how bits of the elements are flipped. Elements of type {@code Long}, {@code Integer},
   * {@code String}, {@code byte[]} and {@code UUID} need no call of this method. For other types,
   * the tests of flipped bits are skipped unless this method is called.
   *
   * @return this examination
   */
  public HashStrategyExamination<T> flippingBits(KeyBits<T> keyBits) {
    bits = Objects.requireNonNull(keyBits, "keyBits");
    return this;
  }

  /**
   * Sets the largest number of distinct keys, {@value #DEFAULT_KEYS} by default. With more keys, an
   * examination detects smaller faults and takes more time and memory. If there are fewer distinct
   * elements than this number, all of them are used.
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
   * Sets the seed of all random choices: which keys are added to filters, which keys are queried,
   * and in which keys bits are flipped.
   *
   * @return this examination
   */
  public HashStrategyExamination<T> seed(long value) {
    seed = value;
    return this;
  }

  /**
   * Sets the kinds of filters in which the false-positive rate is measured, in addition to the two
   * simulated filters (flat and blocked). The default is {@link #installedFilters}.
   *
   * @return this examination
   * @throws IllegalArgumentException if the elements of a kind {@linkplain
   *     FilterKind.Trait#EXPIRING expire}
   */
  public HashStrategyExamination<T> filters(List<? extends FilterKind> kinds) {
    for (FilterKind kind : kinds) {
      if (kind.is(FilterKind.Trait.EXPIRING)) {
        throw new IllegalArgumentException(
            "kinds must be of filters that keep their elements, got " + kind.label());
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
   * Hashes the keys, runs all tests and returns the report. May be called repeatedly.
   *
   * @throws IllegalStateException if no elements were set
   * @throws IllegalArgumentException if there are fewer than two distinct elements, or if the
   *     strategy throws an exception for an element or for an element with a flipped bit. If the
   *     strategy throws, the message names the element, and the cause is the exception of the
   *     strategy.
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
