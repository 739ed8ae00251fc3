package io.bloomkit.cli.experiment.fill;

import io.bloomkit.cli.io.Progress;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.SplittableRandom;

/**
 * A stream of uniformly distributed texts of twelve digits, with the information whether each is
 * one of the ids.
 *
 * <p>A stream is regenerated from its seed when it is needed, which costs less than storing it.
 * Only the positions of the few ids are stored, so that the exact set can be released.
 */
final class QueryStream implements Sample.Queries {

  private final SplittableRandom random;
  private final Definition definition;
  private long nextIndex;
  private int nextMember;
  private boolean member;

  private QueryStream(Definition definition) {
    this.random = new SplittableRandom(definition.seed);
    this.definition = definition;
  }

  @Override
  public long next() {
    member =
        nextMember < definition.members.size()
            && definition.members.getLong(nextMember) == nextIndex;
    nextMember += member ? 1 : 0;
    nextIndex++;
    return text(random);
  }

  @Override
  public boolean isMember() {
    return member;
  }

  private static long text(SplittableRandom random) {
    // 63 random bits times 10^12 / 2^63: practically uniform, and the same on every Java version.
    return Math.multiplyHigh(random.nextLong() >>> 1, 2 * Iin.TEXTS);
  }

  /** The definition of a stream, from which it can be regenerated. */
  static final class Definition {

    private final long seed;
    private final LongArrayList members = new LongArrayList();

    /** Looks up each of the first texts of a seed's stream in the exact set. */
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

    /** Returns a new stream that starts with the first text. */
    QueryStream stream() {
      return new QueryStream(this);
    }
  }
}
