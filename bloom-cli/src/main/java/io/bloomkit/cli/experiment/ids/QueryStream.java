package io.bloomkit.cli.experiment.ids;

import io.bloomkit.cli.io.Progress;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.SplittableRandom;

/**
 * Random texts of twelve digits, uniform over all of them, and whether each is one of the ids.
 *
 * <p>A stream is made again from its seed as often as it is needed, which costs less than to keep
 * it; only the few members are remembered, so that the exact set can be given up.
 */
final class QueryStream {

  private final SplittableRandom random;
  private final Definition definition;
  private long nextIndex;
  private int nextMember;
  private boolean member;

  private QueryStream(Definition definition) {
    this.random = new SplittableRandom(definition.seed);
    this.definition = definition;
  }

  /** Returns the next text, as a number. */
  long next() {
    member =
        nextMember < definition.members.size()
            && definition.members.getLong(nextMember) == nextIndex;
    nextMember += member ? 1 : 0;
    nextIndex++;
    return text(random);
  }

  /** Returns whether the text that was returned last is one of the ids. */
  boolean isMember() {
    return member;
  }

  private static long text(SplittableRandom random) {
    // 63 random bits times 10^12 / 2^63: as even as any, and the same on every Java version.
    return Math.multiplyHigh(random.nextLong() >>> 1, 2 * Iin.TEXTS);
  }

  /** What a stream is made from. */
  static final class Definition {

    private final long seed;
    private final LongArrayList members = new LongArrayList();

    /** Asks the exact set for each of the first texts of the stream of a seed. */
    Definition(long seed, long queries, LongSet ids, Progress progress) {
      this.seed = seed;
      SplittableRandom random = new SplittableRandom(seed);
      for (long i = 0; i < queries; i++) {
        if (ids.contains(text(random))) {
          members.add(i);
        }
        if ((i + 1) % Progress.STEP == 0) {
          progress.advance(Progress.STEP);
        }
      }
    }

    /** Returns the stream from its first text on. */
    QueryStream stream() {
      return new QueryStream(this);
    }
  }
}
