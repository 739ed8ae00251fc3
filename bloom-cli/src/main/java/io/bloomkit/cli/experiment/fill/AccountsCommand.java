package io.bloomkit.cli.experiment.fill;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.experiment.Experiment;
import io.bloomkit.cli.experiment.Results;
import io.bloomkit.cli.experiment.Results.Column;
import io.bloomkit.cli.experiment.Row;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.ItemsOption;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.Delta;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fills filters with the elements that a phone would download, and measures their files. */
@Command(
    name = "accounts",
    description = {
      "Measures the size of a set of accounts that a phone downloads as a filter, and the"
          + " false-positive rate of the filter.",
      "",
      "The command adds N account numbers to filters at 1 %% and at 0.1 %%, and"
          + " compares the bytes of their files with those in the article that proposed"
          + " this use. It does the same with as many random texts of 24 letters, at 14.4"
          + " bits per text. It queries each filter for all its elements, where a false"
          + " negative stops the run, and for as many absent elements.",
      "",
      "Then some accounts are removed from a counting filter, and the same number of other"
          + " accounts is added. The filter is converted to classic before and after these"
          + " changes. The delta between the two classic filters is compared with the whole"
          + " filter and with the entropy of the change. Applied to the older filter, the"
          + " delta must give the newer one."
    })
public final class AccountsCommand extends Experiment {
  private static final long MAX_ITEMS = 100_000_000;
  private static final double ONE_PERCENT = 0.01;
  private static final double ONE_PER_MILLE = 0.001;
  private static final int LETTERS = 24;
  private static final int ALPHABET = 26;
  private static final HashStrategy<CharSequence> STRATEGY = HashStrategies.utf8();

  /** The number of elements for which the article has figures. */
  private static final int ARTICLE_COUNT = 1_000_000;

  private static final long ARTICLE_BYTES_AT_ONE_PERCENT = 1_200_000;
  private static final long ARTICLE_BYTES_AT_ONE_PER_MILLE = 1_800_000;
  private static final long ARTICLE_FALSE_POSITIVES = 994;

  @Mixin private final ItemsOption items = new ItemsOption(1_000_000, 1, MAX_ITEMS);

  @Option(
      names = "--changes",
      paramLabel = "C",
      defaultValue = "1000",
      converter = Arguments.WholeNumber.class,
      description =
          "The number of accounts that are removed for the delta, and also the number that are"
              + " added (default: ${DEFAULT-VALUE}).")
  private long changes;

  @Override
  protected Run prepare() {
    items.check();
    Arguments.checkRange("--changes", changes, 1, items.value());
    // A set and an array of twice the accounts, and indexes of as many texts.
    requireHeap("this many accounts", 6 * Long.BYTES * 2 * items.value());
    return this::measure;
  }

  private Results measure(Progress progress) {
    int count = (int) items.value();
    SplittableRandom random = new SplittableRandom(seed());
    progress.phase("account numbers", 2L * count);
    LongOpenHashSet numbers = new LongOpenHashSet(2 * count);
    while (numbers.size() < 2 * count) {
      numbers.add(random.nextLong(Iin.TEXTS));
    }
    long[] accounts = numbers.toLongArray();
    progress.advance(2L * count);
    long letterSeed = random.nextLong();
    long[] indexes = LongStream.range(0, 2L * count).toArray();
    Sample.Form letters =
        new Sample.Form(LETTERS, (i, text, offset) -> writeLetters(letterSeed + i, text, offset));

    boolean isAsInArticle = count == ARTICLE_COUNT;
    List<Row> sets =
        List.of(
            measureSet(
                "accounts, 1 %",
                Shape.of(count, ONE_PERCENT),
                halves(accounts, IdsCommand.TEXTS),
                isAsInArticle ? ARTICLE_BYTES_AT_ONE_PERCENT : null,
                null,
                progress),
            measureSet(
                "accounts, 0.1 %",
                Shape.of(count, ONE_PER_MILLE),
                halves(accounts, IdsCommand.TEXTS),
                isAsInArticle ? ARTICLE_BYTES_AT_ONE_PER_MILLE : null,
                null,
                progress),
            measureSet(
                "24 letters, 14.4 bits",
                Shape.lowError(count),
                halves(indexes, letters),
                null,
                isAsInArticle ? ARTICLE_FALSE_POSITIVES : null,
                progress));
    progress.phase("update", count);
    Row update = update(accounts, count, (int) changes);
    progress.advance(count);
    return results(sets, update);
  }

  /** Returns the first half of distinct numbers as elements and the second half as queries. */
  private static Sample halves(long[] numbers, Sample.Form form) {
    int half = numbers.length / 2;
    Supplier<LongSupplier> absent =
        () -> Arrays.stream(numbers, half, numbers.length).iterator()::nextLong;
    return new Sample(half, i -> numbers[i], half, absent, number -> false, form);
  }

  private Row measureSet(
      String set,
      FlatShape shape,
      Sample sample,
      @Nullable Long articleBytes,
      @Nullable Long articleFalsePositives,
      Progress progress) {
    FillTrial trial =
        new FillTrial(
            Candidate.classic(set, HashStrategies.bytes(), shape), sample, checkpoints(), progress);
    Row row = trial.run();
    row.put("bitsPerElement", (double) shape.positions() / sample.count());
    row.put("fileBytes", ((StorableFilter<?>) trial.filter()).toBytes().length);
    row.put("articleBytes", articleBytes);
    row.put("articleFalsePositives", articleFalsePositives);
    return row;
  }

  /**
   * Removes the first accounts, adds the same number after the last one, and measures the delta.
   */
  private static Row update(long[] accounts, int count, int changes) {
    CountingBloomFilter<CharSequence> filter =
        CountingBloomFilter.create(STRATEGY, count, ONE_PERCENT);
    for (int i = 0; i < count; i++) {
      filter.add(IdsCommand.TEXTS.text(accounts[i]));
    }
    ClassicBloomFilter<CharSequence> before = filter.toClassic();
    for (int i = 0; i < changes; i++) {
      if (!filter.remove(IdsCommand.TEXTS.text(accounts[i]))) {
        throw new ViolationException(
            "the counting filter is negative for an account that is closed");
      }
      filter.add(IdsCommand.TEXTS.text(accounts[count + i]));
    }
    ClassicBloomFilter<CharSequence> after = filter.toClassic();
    byte[] delta = Delta.between(before, after).toBytes();
    requireDeltaGives(before, delta, after);
    long changed = 0;
    long[] old = before.toLongArray();
    long[] now = after.toLongArray();
    for (int i = 0; i < old.length; i++) {
      changed += Long.bitCount(old[i] ^ now[i]);
    }
    long positions = after.shape().positions();
    double leastBytes = entropy((double) changed / positions) * positions / Byte.SIZE;
    Row row = new Row("delta, 1 %");
    row.put("elements", count);
    row.put("changes", changes);
    row.put("changedPositions", changed);
    row.put("deltaBytes", delta.length);
    row.put("leastBytes", leastBytes);
    row.put("fileBytes", after.toBytes().length);
    return row;
  }

  private static void requireDeltaGives(
      ClassicBloomFilter<CharSequence> before,
      byte[] delta,
      ClassicBloomFilter<CharSequence> after) {
    ClassicBloomFilter<CharSequence> updated;
    try {
      updated =
          Delta.fromBytes(delta)
              .apply(before, bytes -> ClassicBloomFilter.fromBytes(bytes, STRATEGY));
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

  /** Writes the text of a seed. Two texts are equal with a probability of 26⁻²⁴. */
  private static void writeLetters(long seed, byte[] text, int offset) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < LETTERS; i++) {
      text[offset + i] = (byte) ('a' + random.nextInt(ALPHABET));
    }
  }

  private Results results(List<Row> sets, Row update) {
    List<Row> rows = new ArrayList<>(sets);
    rows.add(update);
    return new Results(rows, FillTrial.PLOT)
        .text(
            "%,d stored and as many absent elements queried, seed %d; no false negatives%n%n",
            items.value(), seed())
        .table(
            sets,
            "set",
            Column.withRate(
                "Fpp",
                new Column(
                    "bits/element",
                    row -> Figures.twoDecimals(row.number("bitsPerElement").doubleValue())),
                Column.whole("k", "hashes"),
                Column.whole("file bytes", "fileBytes"),
                Column.whole("article", "articleBytes"),
                Column.whole("false pos.", "falsePositives"),
                Column.whole("article", "articleFalsePositives")))
        .text("%n")
        .table(
            List.of(update),
            "update",
            List.of(
                Column.whole("closed and opened", "changes"),
                Column.whole("changed positions", "changedPositions"),
                Column.whole("delta bytes", "deltaBytes"),
                Column.whole("entropy", "leastBytes"),
                Column.whole("whole filter", "fileBytes")));
  }
}
