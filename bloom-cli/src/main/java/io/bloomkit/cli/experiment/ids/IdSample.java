package io.bloomkit.cli.experiment.ids;

import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Locale;

/**
 * What every filter of the experiment is given: the ids in the order they were made, and the
 * queries with the answers of an exact set.
 */
final class IdSample {

  private final long[] ids;
  private final long queryCount;
  private final QueryStream.Definition queries;

  private IdSample(long[] ids, long queryCount, QueryStream.Definition queries) {
    this.ids = ids;
    this.queryCount = queryCount;
    this.queries = queries;
  }

  /**
   * Makes a sample.
   *
   * @param count how many ids, from 1 to {@link IinGenerator#SPACE}
   * @param queryCount how many queries
   * @param seed the same sample for the same seed
   * @throws ViolationException if the ids are not distinct
   */
  static IdSample generate(int count, long queryCount, long seed, Progress progress) {
    progress.phase("exact set: adding ids", count);
    long[] ids = new long[count];
    LongOpenHashSet exact = new LongOpenHashSet(count);
    IinGenerator generator = new IinGenerator(seed);
    for (int i = 0; i < count; i++) {
      ids[i] = generator.next();
      if (!exact.add(ids[i])) {
        throw new ViolationException("the generated id " + text(ids[i]) + " came twice");
      }
      if ((i + 1) % Progress.STEP == 0) {
        progress.advance(Progress.STEP);
      }
    }
    progress.phase("exact set: querying random texts", queryCount);
    // Another stream than that of the ids, which begins with the seed itself.
    return new IdSample(
        ids, queryCount, new QueryStream.Definition(~seed, queryCount, exact, progress));
  }

  int count() {
    return ids.length;
  }

  long id(int index) {
    return ids[index];
  }

  long queryCount() {
    return queryCount;
  }

  /** Returns the queries from the first on. */
  QueryStream queries() {
    return queries.stream();
  }

  /** Returns the twelve digits of a number. */
  static String text(long number) {
    return String.format(Locale.ROOT, "%012d", number);
  }

  /** Returns the bytes of the exact set of a number of ids: its table and one more place. */
  static long exactSetBytes(int count) {
    return Long.BYTES * (HashCommon.arraySize(count, Hash.DEFAULT_LOAD_FACTOR) + 1L);
  }
}
