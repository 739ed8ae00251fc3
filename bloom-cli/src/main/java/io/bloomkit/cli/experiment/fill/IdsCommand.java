package io.bloomkit.cli.experiment.fill;

import io.bloomkit.FlatShape;
import io.bloomkit.cli.experiment.Experiment;
import io.bloomkit.cli.experiment.Results;
import io.bloomkit.cli.experiment.Results.Column;
import io.bloomkit.cli.experiment.Row;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.FppOption;
import io.bloomkit.cli.text.ItemsOption;
import io.bloomkit.hash.HashStrategies;
import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Adds many identification numbers to an exact set and to each filter, then runs random queries,
 * for which the exact set provides the correct answers.
 */
@Command(
    name = "ids",
    description = {
      "Fills filters with synthetic identification numbers (IIN) and measures their"
          + " false-positive rates.",
      "",
      "The command generates distinct valid numbers of twelve digits and adds them to"
          + " an exact set and to each filter. It queries all of them, and random texts of"
          + " twelve digits, and compares the false positives with the formula of each"
          + " filter. A false negative stops the run.",
      "",
      "It then removes every second number from each filter that supports removal. After that,"
          + " the filter must equal a new filter of the remaining numbers, or at least give"
          + " the same answers. Otherwise, the run stops.",
      "",
      "Filters: classic, blocked, counting, blocked-counting, cuckoo and dynamic-cuckoo, sized"
          + " for N elements at the false-positive rate P; scalable, which begins with room for"
          + " N/10 elements, grows, and stays below P; for comparison sha384-12, the filter of a"
          + " tutorial: SHA-384 in 2^28 bits with 12 hashes, independent of the options.",
      "",
      "The defaults need a heap of 1 GiB."
    })
public final class IdsCommand extends Experiment {
  /** An upper limit on the duration of a run. */
  private static final long MAX_QUERIES = 1_000_000_000_000L;

  /**
   * The filter of a tutorial: SHA-384 in twelve parts of 32 bits, each a position. Here the twelve
   * positions are derived from the first 64 bits of the digest.
   */
  private static final FlatShape TUTORIAL = new FlatShape(1L << 28, 12);

  private static final String TUTORIAL_NAME = "sha384-12";

  static final Sample.Form TEXTS = new Sample.Form(Iin.DIGITS, Iin::write);

  @Mixin private final ItemsOption items = new ItemsOption(20_000_000, 2, IinGenerator.SPACE);

  @Option(
      names = "--queries",
      paramLabel = "Q",
      defaultValue = "10000000",
      converter = Arguments.WholeNumber.class,
      description = "The number of random texts to query (default: ${DEFAULT-VALUE}).")
  private long queries;

  @Mixin private final FppOption fpp = new FppOption("0.01");

  private final CandidateFactory candidateFactory;

  public IdsCommand(CandidateFactory candidateFactory) {
    this.candidateFactory = candidateFactory;
  }

  /** Creates the filters of an experiment. */
  public interface CandidateFactory {
    List<Candidate> candidates(int ids, double fpp);
  }

  /** Returns one filter of each kind that forgets nothing, and the filter of the tutorial. */
  public static List<Candidate> candidates(int ids, double fpp) {
    List<Candidate> candidates = Candidate.ofAllKinds(ids, fpp);
    candidates.add(Candidate.classic(TUTORIAL_NAME, HashStrategies.sha384(), TUTORIAL));
    return candidates;
  }

  @Override
  protected Run prepare() {
    items.check();
    Arguments.checkRange("--queries", queries, 1, MAX_QUERIES);
    fpp.check();
    int ids = (int) items.value();
    List<Candidate> candidates = candidateFactory.candidates(ids, fpp.value());
    long largest = exactSetBytes(ids);
    for (Candidate candidate : candidates) { // deletable filters are built a second time
      largest = Math.max(largest, 2 * candidate.plannedLayout().memoryBytes());
    }
    requireHeap("this many ids at this rate", (long) Long.BYTES * ids + largest);
    return progress -> results(measure(candidates, ids, queries, seed(), checkpoints(), progress));
  }

  /**
   * Runs the trials one after another. Each filter is released before the next is created.
   *
   * @throws ViolationException as soon as a filter violates its guarantees
   */
  static List<Row> measure(
      List<Candidate> candidates,
      int ids,
      long queries,
      long seed,
      int checkpoints,
      Progress progress) {
    Sample sample = sample(ids, queries, seed, progress);
    List<Row> rows = new ArrayList<>();
    for (Candidate candidate : candidates) {
      rows.add(new FillTrial(candidate, sample, checkpoints, progress).run());
    }
    return rows;
  }

  /**
   * Generates ids and queries.
   *
   * @throws ViolationException if the ids are not distinct
   */
  static Sample sample(int count, long queryCount, long seed, Progress progress) {
    progress.phase("exact set: adding ids", count);
    long[] ids = new long[count];
    LongOpenHashSet exact = new LongOpenHashSet(count);
    IinGenerator generator = new IinGenerator(seed);
    for (int i = 0; i < count; i++) {
      ids[i] = generator.next();
      if (!exact.add(ids[i])) {
        throw new ViolationException(
            "the generated id " + TEXTS.text(ids[i]) + " was generated twice");
      }
      if ((i + 1) % Progress.STEP == 0) {
        progress.advance(Progress.STEP);
      }
    }
    progress.phase("exact set: querying random texts", queryCount);
    // The texts are generated again when they are needed, which costs less than storing them. Of
    // the exact set, only the few ids among them are kept.
    LongOpenHashSet queriedIds = new LongOpenHashSet();
    LongSupplier texts = texts(seed);
    for (long i = 0; i < queryCount; i++) {
      long text = texts.getAsLong();
      if (exact.contains(text)) {
        queriedIds.add(text);
      }
      if ((i + 1) % Progress.STEP == 0) {
        progress.advance(Progress.STEP);
      }
    }
    return new Sample(
        count, i -> ids[i], queryCount, () -> texts(seed), queriedIds::contains, TEXTS);
  }

  /** Returns uniformly distributed texts of twelve digits. */
  private static LongSupplier texts(long seed) {
    SplittableRandom random = new SplittableRandom(~seed); // another than that of the ids
    // 63 random bits times 10^12 / 2^63: practically uniform, and the same on every Java version.
    return () -> Math.multiplyHigh(random.nextLong() >>> 1, 2 * Iin.TEXTS);
  }

  /** Returns the memory of the exact set in bytes: its table with one extra place. */
  private static long exactSetBytes(int count) {
    return Long.BYTES * (HashCommon.arraySize(count, Hash.DEFAULT_LOAD_FACTOR) + 1L);
  }

  private Results results(List<Row> rows) {
    Results results =
        new Results(rows, FillTrial.PLOT)
            .text(
                "%,d ids, %s, seed %d; an exact set of the ids takes %,d bytes%n%n",
                items.value(),
                Figures.counted(queries, "random text"),
                seed(),
                exactSetBytes((int) items.value()))
            .table(
                rows,
                "filter",
                Column.withRate(
                    "Fpp",
                    Column.whole("m", "positions"),
                    Column.whole("k", "hashes"),
                    Column.whole("bytes", "bytes"),
                    Column.decimal("build ns/op", "buildNanosPerOperation"),
                    Column.decimal("query ns/op", "queryNanosPerOperation"),
                    Column.whole("false negatives", "falseNegatives"),
                    Column.whole("false positives", "falsePositives")));
    for (Row row : rows) {
      if (row.filter().equals(TUTORIAL_NAME)) {
        row.note(
            "the filter of a tutorial, for comparison: 2^28 bits and 12 hashes of SHA-384, whatever"
                + " the options");
      }
      addRemoval(results.notes(row), row);
    }
    return results;
  }

  private static void addRemoval(Results results, Row row) {
    if (row.hasRate("FppAfterRemoval")) {
      results
          .text(
              "%n%s, after removing %,d of %,d elements:%n  false negatives among the remaining"
                  + " ones: %,d;%n",
              row.filter(),
              row.number("removed").longValue(),
              row.number("elements").longValue(),
              row.number("falseNegativesAfterRemoval").longValue())
          .text(
              "  false positives among the removed ones: %,d, %s (99.9 %% interval %s, formula %s);%n",
              row.rate("FppAfterRemoval").positives(),
              Figures.percent(row.rate("FppAfterRemoval").measured()),
              Figures.percent(row.rate("FppAfterRemoval").interval()),
              Figures.percent(row.rate("FppAfterRemoval").expected()))
          .text(
              "  the filter %s a filter of the remaining elements.%n",
              row.members().get("equalsRebuilt") == null
                  ? "gives the same answers and counts as"
                  : "equals");
    }
  }
}
