package io.bloomkit.cli.experiment.ids;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.cli.experiment.MeasuredRate;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.experiment.ids.FilterResult.Checkpoint;
import io.bloomkit.cli.experiment.ids.FilterResult.Removal;
import io.bloomkit.cli.io.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Runs the experiment for one filter. */
final class FilterTrial {

  /** The number of predicted points per measured point. Predictions cost almost nothing. */
  private static final int PREDICTIONS_PER_CHECKPOINT = 10;

  /**
   * A checkpoint runs the number of all queries divided by this number, so that checkpoints cost
   * little.
   */
  private static final int CHECKPOINT_DIVISOR = 50;

  private final Candidate candidate;
  private final IdSample sample;
  private final int checkpoints;
  private final Progress progress;
  private final TimedBatch batch;
  private final InsertableFilter<CharSequence> filter;

  FilterTrial(Candidate candidate, IdSample sample, int checkpoints, Progress progress) {
    this.candidate = candidate;
    this.sample = sample;
    this.checkpoints = checkpoints;
    this.progress = progress;
    this.batch = new TimedBatch(candidate.bytesHash());
    this.filter = candidate.filters().get();
  }

  /**
   * Fills the filter, queries all ids and the random texts, and removes half of the ids if the
   * filter supports removal.
   *
   * @throws ViolationException if the filter violates its guarantees
   */
  FilterResult run() {
    phase("adding ids", sample.count() + checkpoints * checkpointQueries());
    List<Checkpoint> curve = new ArrayList<>();
    double buildNanos = (double) fill(curve) / sample.count();

    phase("querying all ids", sample.count());
    Tally ids = eachId(0, sample.count(), 1, filter::mightContainHash);
    ids.requireAll("is negative for", "ids that were added");
    batch.takeNanos();

    phase("querying random texts", sample.queryCount());
    MeasuredRate rate = falsePositives(sample.queries(), sample.queryCount());
    double queryNanos = (double) batch.takeNanos() / sample.queryCount();

    return new FilterResult(
        candidate.name(),
        candidate.layout().apply(filter),
        filter.memoryBytes(),
        sample.count(),
        buildNanos,
        queryNanos,
        ids.no(),
        sample.queryCount(),
        rate,
        filter.expectedFpp(),
        removal(), // after all measurements of the full filter
        curve);
  }

  /** Adds all ids and returns the time in nanoseconds, excluding the checkpoints. */
  private long fill(List<Checkpoint> curve) {
    QueryStream queries = sample.queries();
    int moments = Math.max(1, checkpoints * PREDICTIONS_PER_CHECKPOINT);
    long nanos = 0;
    int added = 0;
    for (int moment = 1; moment <= moments; moment++) {
      int next = (int) ((long) sample.count() * moment / moments);
      eachId(added, next, 1, filter::addHash);
      added = next;
      nanos += batch.takeNanos();
      if (checkpoints > 0) {
        boolean measured = moment % PREDICTIONS_PER_CHECKPOINT == 0;
        curve.add(checkpoint(added, queries, measured));
        batch.takeNanos();
      }
    }
    return nanos;
  }

  private Checkpoint checkpoint(int added, QueryStream queries, boolean measured) {
    return new Checkpoint(
        added,
        filter.expectedFpp(),
        measured ? falsePositives(queries, checkpointQueries()) : null);
  }

  private long checkpointQueries() {
    return sample.queryCount() / CHECKPOINT_DIVISOR;
  }

  /** Removes every second id. Returns null if the filter does not support removal. */
  private @Nullable Removal removal() {
    if (!(filter instanceof DeletableFilter<CharSequence> deletable) || sample.count() < 2) {
      return null;
    }
    int removed = sample.count() / 2;
    int left = sample.count() - removed;

    phase("removing every second id", removed);
    eachId(1, sample.count(), 2, deletable::removeHash)
        .requireAll("refuses to remove", "ids that were added");

    phase("querying the remaining ids", left);
    Tally others = eachId(0, sample.count(), 2, filter::mightContainHash);
    others.requireAll("is negative for", "ids that were not removed");

    phase("querying the removed ids", removed);
    Tally gone = eachId(1, sample.count(), 2, filter::mightContainHash);

    phase("building a filter of the remaining ids", left);
    InsertableFilter<CharSequence> rebuilt = candidate.filters().get();
    eachId(0, sample.count(), 2, rebuilt::addHash);
    boolean comparable = candidate.isComparable();
    if (comparable) {
      requireEqual(rebuilt);
    } else {
      requireSameAnswers(deletable, (DeletableFilter<?>) rebuilt);
    }
    return new Removal(
        removed,
        others.no(),
        new MeasuredRate(gone.yes, gone.queried),
        filter.expectedFpp(),
        /* answersAsRebuilt= */ true,
        comparable ? true : null);
  }

  /** Checks that the filter equals a rebuilt one, which implies equal answers and counts. */
  private void requireEqual(InsertableFilter<CharSequence> rebuilt) {
    if (!filter.equals(rebuilt)) {
      throw new ViolationException(
          candidate.name() + " differs after the removal from a filter of the remaining ids");
    }
  }

  private void requireSameAnswers(DeletableFilter<?> left, DeletableFilter<?> rebuilt) {
    LongPredicate agrees =
        hash ->
            left.countHash(hash) == rebuilt.countHash(hash)
                && left.mightContainHash(hash) == rebuilt.mightContainHash(hash);
    long texts = Math.max(1, checkpointQueries());
    phase("comparing both filters", sample.count() + texts);
    String verb = "differs after the removal from a filter of the remaining ids, for";
    eachId(0, sample.count(), 1, agrees).requireAll(verb, "ids");
    eachQuery(sample.queries(), texts, agrees).requireAll(verb, "random texts");
  }

  private void phase(String what, long steps) {
    progress.phase(candidate.name() + ": " + what, steps);
  }

  /** Applies an operation to every step-th id between two indexes, the second one exclusive. */
  private Tally eachId(int from, int to, int step, LongPredicate operation) {
    Tally tally = new Tally();
    int i = from;
    while (i < to) {
      int first = i;
      batch.clear();
      while (i < to && !batch.isFull()) {
        batch.put(sample.id(i));
        i += step;
      }
      batch.apply(operation);
      for (int j = 0; j < batch.size(); j++) {
        tally.count(batch.answer(j), sample.id(first + j * step));
      }
      progress.advance(batch.size());
    }
    return tally;
  }

  /** Runs the next queries and counts the positives among texts that are not ids. */
  private MeasuredRate falsePositives(QueryStream queries, long count) {
    Tally tally = eachQuery(queries, count, filter::mightContainHash);
    return new MeasuredRate(tally.yes, tally.queried);
  }

  /**
   * Applies an operation to those of the next queries that are not ids; ids are queried separately.
   */
  private Tally eachQuery(QueryStream queries, long count, LongPredicate operation) {
    Tally tally = new Tally();
    long[] texts = new long[TimedBatch.SIZE];
    boolean[] members = new boolean[TimedBatch.SIZE];
    long left = count;
    while (left > 0) {
      batch.clear();
      while (left > 0 && !batch.isFull()) {
        int i = batch.size();
        texts[i] = queries.next();
        members[i] = queries.isMember();
        batch.put(texts[i]);
        left--;
      }
      batch.apply(operation);
      for (int i = 0; i < batch.size(); i++) {
        if (!members[i]) {
          tally.count(batch.answer(i), texts[i]);
        }
      }
      progress.advance(batch.size());
    }
    return tally;
  }

  /** Counts the answers of an operation. */
  private final class Tally {
    private long queried;
    private long yes;
    private long firstNo;

    void count(boolean answer, long number) {
      if (answer) {
        yes++;
      } else if (no() == 0) {
        firstNo = number;
      }
      queried++;
    }

    long no() {
      return queried - yes;
    }

    void requireAll(String verb, String what) {
      if (no() > 0) {
        throw new ViolationException(
            String.format(
                Locale.ROOT,
                "%s %s %,d of %,d %s, the first %s",
                candidate.name(),
                verb,
                no(),
                queried,
                what,
                IdSample.text(firstNo)));
      }
    }
  }
}
