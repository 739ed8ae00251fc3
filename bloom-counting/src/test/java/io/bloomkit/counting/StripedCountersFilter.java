package io.bloomkit.counting;

/**
 * A filter of blocks that keeps the promise of a concurrent one, as {@link
 * BlockedCountingBloomFilter} does, without all else that it is. {@link Broken} filters break one
 * of its methods each.
 */
class StripedCountersFilter implements RacingFilter {

  private static final int COUNTERS_PER_WORD = 16;

  final CounterArray counters = new CounterArray(BlockOfRaces.SHAPE.positions());

  static int first(long hash) {
    return (int) (BlockOfRaces.SHAPE.positionOf(hash, 0) / COUNTERS_PER_WORD);
  }

  static long firstMask(long hash) {
    return mask(hash, 0);
  }

  static int second(long hash) {
    return (int) (BlockOfRaces.SHAPE.positionOf(hash, BlockOfRaces.PER_WORD) / COUNTERS_PER_WORD);
  }

  static long secondMask(long hash) {
    return mask(hash, BlockOfRaces.PER_WORD);
  }

  /** The lowest bit of each counter of a word, from one of the positions of a hash on. */
  private static long mask(long hash, int from) {
    long mask = 0;
    for (int i = from; i < from + BlockOfRaces.PER_WORD; i++) {
      mask |= 1L << (4 * (BlockOfRaces.SHAPE.positionOf(hash, i) % COUNTERS_PER_WORD));
    }
    return mask;
  }

  /** Holds X of {@link CountingRaces} once and Y so often that the shared counter has a value. */
  final StripedCountersFilter filledTo(int value) {
    add(CountingRaces.X);
    for (int i = 1; i < value; i++) {
      add(CountingRaces.Y);
    }
    return this;
  }

  @Override
  public boolean add(long ofRaces) {
    long hash = BlockOfRaces.hash(ofRaces);
    return (increment(first(hash), firstMask(hash)) | increment(second(hash), secondMask(hash)))
        != 0;
  }

  long increment(int word, long mask) {
    return counters.incrementAllShared(word, mask, counters);
  }

  @Override
  public boolean remove(long ofRaces) {
    synchronized (counters) {
      return holds(BlockOfRaces.hash(ofRaces)) && take(BlockOfRaces.hash(ofRaces));
    }
  }

  final boolean holds(long hash) {
    return (counters.zerosShared(first(hash), firstMask(hash))
            | counters.zerosShared(second(hash), secondMask(hash)))
        == 0;
  }

  /** Takes one from each counter, of which none is zero if the caller keeps others away. */
  final boolean take(long hash) {
    counters.decrementAllShared(first(hash), firstMask(hash));
    counters.decrementAllShared(second(hash), secondMask(hash));
    return true;
  }

  @Override
  public boolean mightContain(long ofRaces) {
    return holds(BlockOfRaces.hash(ofRaces));
  }

  @Override
  public long count(long ofRaces) {
    long hash = BlockOfRaces.hash(ofRaces);
    return Math.min(
        counters.minShared(first(hash), firstMask(hash)),
        counters.minShared(second(hash), secondMask(hash)));
  }

  @Override
  public long counter(int position) {
    return counters.getShared(BlockOfRaces.counter(position));
  }

  @Override
  public void checkFigures(long elements, long nonZeroCounters) {}

  /** The ways to get it wrong that Lincheck must find. */
  static final class Broken {

    private Broken() {}

    /** Looks and takes, but keeps nobody away meanwhile. */
    static final class RemovesWithoutALock extends StripedCountersFilter {
      @Override
      public boolean remove(long ofRaces) {
        return holds(BlockOfRaces.hash(ofRaces)) && take(BlockOfRaces.hash(ofRaces));
      }
    }

    /** Takes under the lock what it saw before it. */
    static final class LooksOutsideTheLock extends StripedCountersFilter {
      @Override
      public boolean remove(long ofRaces) {
        if (!holds(BlockOfRaces.hash(ofRaces))) {
          return false;
        }
        synchronized (counters) {
          return take(BlockOfRaces.hash(ofRaces));
        }
      }
    }

    /** Takes the first word before it looks at the second, and gives it back. */
    static final class TakesAWordAndGivesItBack extends StripedCountersFilter {
      @Override
      public boolean remove(long ofRaces) {
        long hash = BlockOfRaces.hash(ofRaces);
        synchronized (counters) {
          if (counters.zerosShared(first(hash), firstMask(hash)) != 0) {
            return false;
          }
          counters.decrementAllShared(first(hash), firstMask(hash));
          if (counters.zerosShared(second(hash), secondMask(hash)) != 0) {
            counters.incrementAllShared(first(hash), firstMask(hash), counters);
            return false;
          }
          counters.decrementAllShared(second(hash), secondMask(hash));
          return true;
        }
      }
    }

    /** Gives up where another changed the word between its look and its addition. */
    static final class DoesNotTryAgain extends StripedCountersFilter {
      @Override
      long increment(int word, long mask) {
        long before = counters.word(word);
        long zeros = counters.zerosShared(word, mask);
        return counters.word(word) == before
            ? counters.incrementAllShared(word, mask, counters)
            : zeros;
      }
    }

    /** Adds to a word by reading and writing it, not at once. */
    static final class AddsNotAtOnce extends StripedCountersFilter {
      @Override
      long increment(int word, long mask) {
        return counters.incrementBoth(word, mask, 0, 0) ? 1 : 0; // of the padding none
      }
    }
  }
}
