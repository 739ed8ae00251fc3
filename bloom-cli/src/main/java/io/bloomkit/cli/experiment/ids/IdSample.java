package io.bloomkit.cli.experiment.ids;

import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Locale;

/**
 * The input for every filter of the experiment: the ids in the order of their creation, and the
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
   * Creates a sample.
   *
   * @param count the number of ids, from 1 to {@link IinGenerator#SPACE}
   * @param queryCount the number of queries
   * @param seed the seed; the same seed gives the same sample
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
        throw new ViolationException("the generated id " + text(ids[i]) + " was generated twice");
      }
      if ((i + 1) % Progress.STEP == 0) {
        progress.advance(Progress.STEP);
      }
    }
    progress.phase("exact set: querying random texts", queryCount);
    // Differs from the stream of the ids, which starts with the seed itself.
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

  /** Returns a new stream of all queries. */
  QueryStream queries() {
    return queries.stream();
  }

  /** Returns a number as twelve digits. */
  static String text(long number) {
    return String.format(Locale.ROOT, "%012d", number);
  }

  /**
   * Returns the memory of the exact set of a number of ids in bytes: its table with one extra
   * place.
   */
  static long exactSetBytes(int count) {
    return Long.BYTES * (HashCommon.arraySize(count, Hash.DEFAULT_LOAD_FACTOR) + 1L);
  }
}
