package io.bloomkit.cli.experiment.fill;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.cli.experiment.Rate;
import io.bloomkit.cli.experiment.RatePlot;
import io.bloomkit.cli.experiment.Row;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.size.Dimensions;
import io.bloomkit.format.FilterLayout;
import java.util.Locale;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/** Fills one filter, queries it, and removes half of its elements if it supports removal. */
final class FillTrial {
  /** The picture of the rates that a trial measures. */
  static final RatePlot PLOT =
      new RatePlot(
          "False-positive rate while the filters are filled",
          "elements added",
          "false-positive rate (%)");

  /** The number of predicted points per measured point. Predictions cost almost nothing. */
  private static final int PREDICTIONS_PER_CHECKPOINT = 10;

  /**
   * A checkpoint runs the number of all queries divided by this number, so that checkpoints cost
   * little.
   */
  private static final int CHECKPOINT_DIVISOR = 50;

  private final Candidate candidate;
  private final Sample sample;
  private final int checkpoints;
  private final Progress progress;
  private final TimedBatch batch;
  private final InsertableFilter<CharSequence> filter;
  private final Row row;

  /**
   * Creates the filter.
   *
   * @param checkpoints the number of times that the rate is measured while the filter is filled
   */
  FillTrial(Candidate candidate, Sample sample, int checkpoints, Progress progress) {
    this.candidate = candidate;
    this.sample = sample;
    this.checkpoints = checkpoints;
    this.progress = progress;
    this.batch = new TimedBatch(candidate.bytesHash(), sample.form());
    this.filter = candidate.filters().get();
    this.row = new Row(candidate.name());
  }

  /**
   * Runs the trial.
   *
   * @throws ViolationException if the filter violates its guarantees
   */
  Row run() {
    int count = sample.count();
    phase("adding elements", count + checkpoints * checkpointQueries());
    double buildNanos = (double) fill() / count;

    phase("querying all elements", count);
    Tally members = eachElement(0, count, 1, filter::mightContainHash);
    members.requireAll("is negative for", "elements that were added");

    batch.takeNanos();
    phase("querying random texts", sample.queryCount());
    Rate rate = falsePositives(sample.queries().get(), sample.queryCount());
    double queryNanos = (double) batch.takeNanos() / sample.queryCount();

    FilterLayout layout = candidate.layout().apply(filter);
    Dimensions.putInto(row.members(), layout);
    row.put("layers", Dimensions.layers(layout));
    String note = Dimensions.note(layout);
    if (note != null) {
      row.note(note);
    }
    row.put("bytes", filter.memoryBytes());
    row.put("elements", count);
    row.put("buildNanosPerOperation", buildNanos);
    row.put("queryNanosPerOperation", queryNanos);
    row.put("falseNegatives", members.no());
    row.put("queries", sample.queryCount());
    row.put("absentQueries", rate.queries());
    row.put("falsePositives", rate.positives());
    row.putRate("Fpp", rate);
    if (filter instanceof DeletableFilter<CharSequence> deletable && count > 1) {
      remove(deletable); // after all measurements of the full filter
    }
    return row;
  }

  /** Returns the filter, whose size may be measured. */
  InsertableFilter<CharSequence> filter() {
    return filter;
  }

  /** Adds all elements and returns the time in nanoseconds, excluding the checkpoints. */
  private long fill() {
    LongSupplier queries = sample.queries().get();
    int moments = Math.max(1, checkpoints * PREDICTIONS_PER_CHECKPOINT);
    long nanos = 0;
    int added = 0;
    for (int moment = 1; moment <= moments; moment++) {
      int next = (int) ((long) sample.count() * moment / moments);
      eachElement(added, next, 1, filter::addHash);
      added = next;
      nanos += batch.takeNanos();
      if (checkpoints > 0) {
        row.predict(added, filter.expectedFpp());
        if (moment % PREDICTIONS_PER_CHECKPOINT == 0) {
          row.measure(added, falsePositives(queries, checkpointQueries()));
          batch.takeNanos();
        }
      }
    }
    return nanos;
  }

  private long checkpointQueries() {
    return sample.queryCount() / CHECKPOINT_DIVISOR;
  }

  /** Removes every second element and compares the filter with one of the remaining elements. */
  private void remove(DeletableFilter<CharSequence> deletable) {
    int count = sample.count();
    int removed = count / 2;
    int left = count - removed;
    phase("removing every second element", removed);
    eachElement(1, count, 2, deletable::removeHash)
        .requireAll("refuses to remove", "elements that were added");
    phase("querying the remaining elements", left);
    Tally others = eachElement(0, count, 2, filter::mightContainHash);
    others.requireAll("is negative for", "elements that were not removed");
    phase("querying the removed elements", removed);
    Tally gone = eachElement(1, count, 2, filter::mightContainHash);

    phase("building a filter of the remaining elements", left);
    InsertableFilter<CharSequence> rebuilt = candidate.filters().get();
    eachElement(0, count, 2, rebuilt::addHash);
    if (candidate.isComparable()) {
      requireEqual(rebuilt);
    } else {
      requireSameAnswers(deletable, (DeletableFilter<?>) rebuilt);
    }
    row.put("removed", removed);
    row.put("falseNegativesAfterRemoval", others.no());
    row.put("falsePositivesAfterRemoval", gone.yes);
    row.putRate("FppAfterRemoval", new Rate(gone.yes, gone.queried, filter.expectedFpp()));
    row.put("answersAsRebuilt", true);
    row.put("equalsRebuilt", candidate.isComparable() ? true : null);
  }

  /** Checks that the filter equals a rebuilt one, which implies equal answers and counts. */
  private void requireEqual(InsertableFilter<CharSequence> rebuilt) {
    if (!filter.equals(rebuilt)) {
      throw new ViolationException(
          candidate.name() + " differs after the removal from a filter of the remaining elements");
    }
  }

  private void requireSameAnswers(DeletableFilter<?> left, DeletableFilter<?> rebuilt) {
    LongPredicate agrees =
        hash ->
            left.countHash(hash) == rebuilt.countHash(hash)
                && left.mightContainHash(hash) == rebuilt.mightContainHash(hash);
    long texts = Math.max(1, checkpointQueries());
    phase("comparing both filters", sample.count() + texts);
    String verb = "differs after the removal from a filter of the remaining elements, for";
    eachElement(0, sample.count(), 1, agrees).requireAll(verb, "elements");
    eachQuery(sample.queries().get(), texts, agrees).requireAll(verb, "random texts");
  }

  private void phase(String what, long steps) {
    progress.phase(candidate.name() + ": " + what, steps);
  }

  /**
   * Applies an operation to every step-th element between two indexes, the second one exclusive.
   */
  private Tally eachElement(int from, int to, int step, LongPredicate operation) {
    Tally tally = new Tally();
    int i = from;
    while (i < to) {
      int first = i;
      batch.clear();
      while (i < to && !batch.isFull()) {
        batch.put(sample.element(i));
        i += step;
      }
      batch.apply(operation);
      for (int j = 0; j < batch.size(); j++) {
        tally.count(batch.answer(j), sample.element(first + j * step));
      }
      progress.advance(batch.size());
    }
    return tally;
  }

  /** Runs the next queries and counts the positives among texts that are no elements. */
  private Rate falsePositives(LongSupplier queries, long count) {
    Tally tally = eachQuery(queries, count, filter::mightContainHash);
    return new Rate(tally.yes, tally.queried, filter.expectedFpp());
  }

  /**
   * Applies an operation to those of the next queries that are no elements; elements are queried
   * separately.
   */
  private Tally eachQuery(LongSupplier queries, long count, LongPredicate operation) {
    Tally tally = new Tally();
    long[] texts = new long[TimedBatch.SIZE];
    long left = count;
    while (left > 0) {
      batch.clear();
      while (left > 0 && !batch.isFull()) {
        int i = batch.size();
        texts[i] = queries.getAsLong();
        batch.put(texts[i]);
        left--;
      }
      batch.apply(operation);
      for (int i = 0; i < batch.size(); i++) {
        if (!sample.isElement().test(texts[i])) {
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
                sample.form().text(firstNo)));
      }
    }
  }
}
