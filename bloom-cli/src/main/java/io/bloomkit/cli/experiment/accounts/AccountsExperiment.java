package io.bloomkit.cli.experiment.accounts;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.experiment.MeasuredRate;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.Delta;
import io.bloomkit.hash.HashStrategies;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Fills filters with the elements that a phone would download, and measures their sizes and
 * false-positive rates.
 */
final class AccountsExperiment {

  private static final double ONE_PERCENT = 0.01;
  private static final double ONE_PER_MILLE = 0.001;

  private static final int DIGITS = 12;

  /** The number of account numbers with twelve digits. */
  private static final long ACCOUNTS = 1_000_000_000_000L;

  private static final int LETTERS = 24;
  private static final int ALPHABET = 26;

  /** The number of elements for which the article has figures. */
  private static final int ARTICLE_COUNT = 1_000_000;

  private static final long ARTICLE_BYTES_AT_ONE_PERCENT = 1_200_000;
  private static final long ARTICLE_BYTES_AT_ONE_PER_MILLE = 1_800_000;
  private static final long ARTICLE_FALSE_POSITIVES = 994;

  private AccountsExperiment() {}

  /**
   * The results for one filter.
   *
   * @param set the elements, and the rate or the size of the filter
   * @param fileBytes the size of the file to download
   * @param articleBytes the size in the article, or null
   * @param rate the measured false-positive rate
   * @param expectedFpp the rate that the formula predicts for the shape and the number of elements
   * @param articleFalsePositives the number of false positives in the article, or null
   */
  record Shipment(
      String set,
      long elements,
      FlatShape shape,
      long memoryBytes,
      long fileBytes,
      @Nullable Long articleBytes,
      MeasuredRate rate,
      double expectedFpp,
      @Nullable Long articleFalsePositives) {}

  /**
   * The results for an update.
   *
   * @param changes the number of removed accounts, which is also the number of added ones
   * @param changedPositions the number of changed positions of the filter
   * @param deltaBytes the size of the delta
   * @param leastBytes the lower bound of the mean size in any code: the entropy of that number of
   *     uniformly distributed changed positions
   * @param fileBytes the size of the whole filter
   */
  record Update(
      int changes, long changedPositions, long deltaBytes, double leastBytes, long fileBytes) {}

  /** All results of a run. */
  record Results(int count, long seed, List<Shipment> shipments, Update update) {}

  /**
   * Runs the experiment.
   *
   * @param count the number of accounts and the number of texts
   * @param changes the number of accounts to close and to open, at most {@code count}
   * @throws ViolationException if a query of a stored element is negative
   */
  static Results run(int count, int changes, long seed, Progress progress) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Shipment> shipments = new ArrayList<>();
    boolean isAsInArticle = count == ARTICLE_COUNT;

    progress.phase("account numbers", 2L * count);
    LongOpenHashSet numbers = new LongOpenHashSet(2 * count);
    while (numbers.size() < 2 * count) {
      numbers.add(random.nextLong(ACCOUNTS));
    }
    long[] all = numbers.toLongArray();
    progress.advance(2L * count);
    shipments.add(
        ship(
            new Trial("accounts, 1 %", Shape.of(count, ONE_PERCENT), count, progress),
            i -> digits(all[(int) i]),
            isAsInArticle ? ARTICLE_BYTES_AT_ONE_PERCENT : null,
            null));
    shipments.add(
        ship(
            new Trial("accounts, 0.1 %", Shape.of(count, ONE_PER_MILLE), count, progress),
            i -> digits(all[(int) i]),
            isAsInArticle ? ARTICLE_BYTES_AT_ONE_PER_MILLE : null,
            null));
    long letterSeed = random.nextLong();
    shipments.add(
        ship(
            new Trial("24 letters, 14.4 bits", Shape.lowError(count), count, progress),
            i -> letters(letterSeed, i),
            null,
            isAsInArticle ? ARTICLE_FALSE_POSITIVES : null));
    progress.phase("update", count);
    Update update = update(all, count, changes);
    progress.advance(count);
    return new Results(count, seed, shipments, update);
  }

  /**
   * Removes the first accounts, adds the same number after the last one, and measures the delta.
   */
  private static Update update(long[] all, int count, int changes) {
    CountingBloomFilter<byte[]> accounts =
        CountingBloomFilter.create(HashStrategies.bytes(), count, ONE_PERCENT);
    for (int i = 0; i < count; i++) {
      accounts.add(digits(all[i]));
    }
    ClassicBloomFilter<byte[]> before = accounts.toClassic();
    for (int i = 0; i < changes; i++) {
      if (!accounts.remove(digits(all[i]))) {
        throw new ViolationException(
            "the counting filter is negative for an account that is closed");
      }
      accounts.add(digits(all[count + i]));
    }
    ClassicBloomFilter<byte[]> after = accounts.toClassic();
    byte[] delta = Delta.between(before, after).toBytes();
    requireLeadsOn(before, delta, after);
    long changed = 0;
    long[] old = before.toLongArray();
    long[] now = after.toLongArray();
    for (int i = 0; i < old.length; i++) {
      changed += Long.bitCount(old[i] ^ now[i]);
    }
    return new Update(
        changes,
        changed,
        delta.length,
        entropy((double) changed / after.shape().positions())
            * after.shape().positions()
            / Byte.SIZE,
        after.toBytes().length);
  }

  private static void requireLeadsOn(
      ClassicBloomFilter<byte[]> before, byte[] delta, ClassicBloomFilter<byte[]> after) {
    ClassicBloomFilter<byte[]> updated;
    try {
      updated =
          Delta.fromBytes(delta)
              .apply(before, bytes -> ClassicBloomFilter.fromBytes(bytes, HashStrategies.bytes()));
    } catch (FilterFormatException e) {
      throw new ViolationException("the delta cannot be read: " + e.getMessage());
    }
    if (!updated.equals(after)) {
      throw new ViolationException("the delta gives another filter");
    }
  }

  /** Returns the entropy, in bits per position, of which positions have changed. */
  private static double entropy(double share) {
    return share <= 0 || share >= 1
        ? 0
        : -(share * Math.log(share) + (1 - share) * Math.log1p(-share)) / Math.log(2);
  }

  private record Trial(String set, FlatShape shape, int count, Progress progress) {}

  /** Adds the first elements, then queries these and the same number of further elements. */
  private static Shipment ship(
      Trial trial,
      LongFunction<byte[]> elements,
      @Nullable Long articleBytes,
      @Nullable Long articleFalsePositives) {
    int count = trial.count;
    Progress progress = trial.progress;
    ClassicBloomFilter<byte[]> filter =
        ClassicBloomFilter.builder(HashStrategies.bytes()).shape(trial.shape).build();
    progress.phase(trial.set, 3L * count);
    for (int i = 0; i < count; i++) {
      filter.add(elements.apply(i));
    }
    progress.advance(count);
    for (int i = 0; i < count; i++) {
      if (!filter.mightContain(elements.apply(i))) {
        throw new ViolationException(trial.set + ": the filter is negative for a stored element");
      }
    }
    progress.advance(count);
    long falsePositives = 0;
    for (long i = count; i < 2L * count; i++) {
      falsePositives += filter.mightContain(elements.apply(i)) ? 1 : 0;
    }
    progress.advance(count);
    return new Shipment(
        trial.set,
        count,
        trial.shape,
        filter.memoryBytes(),
        filter.toBytes().length,
        articleBytes,
        new MeasuredRate(falsePositives, count),
        trial.shape.fpp(count),
        articleFalsePositives);
  }

  private static byte[] digits(long number) {
    byte[] text = new byte[DIGITS];
    long rest = number;
    for (int i = DIGITS - 1; i >= 0; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return text;
  }

  /** Returns the text with an index. Two texts are equal with a probability of 26⁻²⁴. */
  private static byte[] letters(long seed, long index) {
    SplittableRandom random = new SplittableRandom(seed + index);
    byte[] text = new byte[LETTERS];
    for (int i = 0; i < LETTERS; i++) {
      text[i] = (byte) ('a' + random.nextInt(ALPHABET));
    }
    return text;
  }
}
