package io.bloomkit.cuckoo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of the tables of a growing filter, each about a quarter above the previous one, and the
 * decision when a table is divided into two instead.
 *
 * <p>Tables are divided when they hold {@value #MAX_ELEMENTS} fingerprints or fewer. So a table
 * fits into the cache while it grows, and an operation moves only a few thousand fingerprints. With
 * the largest regular size, all tables are full when the filter holds the planned number of
 * elements. By chance, some tables then hold more than others; a few larger sizes, in finer steps,
 * are for those.
 *
 * <p>Thread-safe.
 */
class TableSizes {

  /** The fraction of slots that may be occupied. Above 0.97 there is often no arrangement. */
  static final double LOAD = 0.955;

  private static final int MAX_ELEMENTS = 11_000;

  /**
   * The largest regular size has room for the mean number of fingerprints in a table plus this many
   * standard deviations. With a smaller number, more tables need a finer step; with a larger one,
   * all tables are larger.
   */
  private static final int DEVIATIONS = 1;

  /**
   * The same for tables that are allocated for the plan. One in thirty thousand has to grow before
   * the filter is full.
   */
  private static final int ALLOCATED_DEVIATIONS = 4;

  private static final int MIN_BUCKETS = 8;

  private static final double STEP = 1.26;
  private static final double FINE_STEP = 1.06;

  /**
   * The same for tables with stamps. In steady traffic, the fingerprints of a table change while
   * their number does not, so sooner or later each table has more than its mean number.
   */
  private static final double FINE_STEP_WITH_STAMPS = 1.03;

  /** The largest size in finer steps, relative to the largest regular size. */
  private static final double MAX_FINE = 1.2;

  /**
   * The fraction of its limit below which a table shrinks. A table grows at 1, and a new table is
   * filled to 0.75 to 0.9. So the number of operations between two resizes is proportional to the
   * size.
   */
  private static final double SHRUNK = 0.45;

  /** The same for tables with stamps, which lose fingerprints only once per epoch. */
  private static final double SHRUNK_WITH_STAMPS = 0.58;

  /** The fraction of the largest regular limit below which two tables are joined. */
  private static final double JOINED = 0.4;

  /** The largest fraction of its limit to which a table is filled after shrinking. */
  private static final double REFILLED = 0.75;

  /** The fraction of its limit that a table of evenly spread fingerprints reaches in practice. */
  private static final double CLUSTERED = 0.7;

  /**
   * Fewer clustered fingerprints than this stay in one table of any size, since a series of divided
   * chunks would take more memory.
   */
  static final int MIN_CLUSTER = 192;

  /** The range and the step of the sum over a normal distribution, in standard deviations. */
  private static final double MAX_DEVIATIONS = 4;

  private static final double DEVIATION_STEP = 1.0 / 16;

  /** The number of further sizes, for tables that cannot be divided because all bits are used. */
  private static final int STEPS_BEYOND = 40;

  /** Random in each process. The property is for tests, which must be repeatable. */
  static final long SECRET =
      Long.getLong("io.bloomkit.tableSecret", ThreadLocalRandom.current().nextLong());

  final FingerprintSpace space;

  /** The depth of all tables once the filter holds the planned elements. */
  final int plannedDepth;

  private final int[] buckets;
  private final int lastRegular;
  private final int lastFine;

  /** The shape of the chunks of an empty filter. No chunk is shallower, or smaller at its depth. */
  final TableShape smallest;

  private final ConcurrentMap<Long, TableShape> shapes = new ConcurrentHashMap<>();

  /** Makes second buckets unpredictable. It is in no file, since files have only fingerprints. */
  private final long secret;

  private final int stampBits;

  TableSizes(FingerprintSpace space, long maxElements) {
    this(space, maxElements, SECRET, false, 0);
  }

  /**
   * Creates the sizes of a filter.
   *
   * @param secret makes second buckets unpredictable; tests choose it, to be repeatable
   * @param isAllocated whether the tables of an empty filter have room for the planned elements
   * @param stampBits the bits of a {@linkplain TableShape#stampBits stamp}; 0 for none
   */
  TableSizes(
      FingerprintSpace space, long maxElements, long secret, boolean isAllocated, int stampBits) {
    this.space = space;
    this.secret = secret;
    this.stampBits = stampBits;
    int depth = 0;
    while (depth < space.maxDepth() && maxElements >> depth > MAX_ELEMENTS) {
      depth++;
    }
    this.plannedDepth = depth;
    double each = (double) maxElements / (1L << depth);
    int deviations = isAllocated ? ALLOCATED_DEVIATIONS : DEVIATIONS;
    double most = depth == 0 ? each : each + deviations * Math.sqrt(each);
    double largest = Math.max(2, Math.ceil(most / (TableShape.SLOTS * LOAD)));
    List<Integer> sizes = new ArrayList<>();
    int min = minBuckets(space);
    for (double size = largest; sizes.isEmpty() || size >= min; size /= STEP) {
      sizes.add((int) Math.ceil(Math.max(size, min)));
    }
    Collections.reverse(sizes);
    this.lastRegular = sizes.size() - 1;
    double size = sizes.get(lastRegular);
    double maxFine = size * MAX_FINE;
    double fineStep = stampBits == 0 ? FINE_STEP : FINE_STEP_WITH_STAMPS;
    while (size < maxFine) {
      size *= fineStep;
      sizes.add((int) Math.ceil(size) + 1);
    }
    this.lastFine = sizes.size() - 1;
    for (int i = 0; i < STEPS_BEYOND && size < Integer.MAX_VALUE / STEP / TableShape.SLOTS; i++) {
      size *= STEP;
      sizes.add((int) Math.ceil(size) + 2);
    }
    this.buckets = sizes.stream().mapToInt(Integer::intValue).toArray();
    this.smallest = isAllocated ? shape(depth, lastRegular) : shape(0, 0);
  }

  /** Returns the smallest number of buckets with which a remainder fits into a slot. */
  private static int minBuckets(FingerprintSpace space) {
    int least = MIN_BUCKETS;
    while (Quotients.remainderBits(space.fingerprints(), least) >= TableShape.MAX_WIDTH) {
      least++;
    }
    return least;
  }

  TableShape shape(int depth, int sizeIndex) {
    double shrunk = stampBits == 0 ? SHRUNK : SHRUNK_WITH_STAMPS;
    return shapes.computeIfAbsent(
        ((long) depth << Integer.SIZE) | sizeIndex,
        key ->
            new TableShape(
                depth,
                space.fingerprints(depth),
                buckets[sizeIndex],
                sizeIndex,
                limit(sizeIndex),
                sizeIndex == 0 && depth == 0 ? 0 : (int) (shrunk * limit(sizeIndex)),
                secret,
                stampBits));
  }

  /**
   * Returns the expected number of bytes of the chunks that are filled with random elements. The
   * number of fingerprints in a chunk is nearly normal with the variance of a Poisson distribution;
   * a chunk with more than its limit is divided.
   */
  long memoryBytes(long elements) {
    double all = space.fingerprints();
    double each = elements / all; // the elements of a fingerprint have a Poisson distribution
    double distinct = -all * StrictMath.expm1(-each);
    boolean isCounted = elements > 0 && stampBits == 0; // else no second tables
    double shared = !isCounted ? 0 : all * atLeastTwo(each) / distinct;
    int depth = 0;
    while (depth < space.maxDepth() && fewest(distinct, depth) > limit(last(depth))) {
      depth++;
    }
    double mean = distinct / (1L << depth);
    double bytes = 0;
    double weights = 0;
    for (double z = -MAX_DEVIATIONS; z <= MAX_DEVIATIONS; z += DEVIATION_STEP) {
      double weight = StrictMath.exp(-z * z / 2);
      double count = depth == 0 ? mean : Math.max(0, mean + z * Math.sqrt(mean));
      boolean isDivided = depth < space.maxDepth() && count > limit(last(depth));
      bytes +=
          weight
              * (isDivided
                  ? 2 * chunkBytes(depth + 1, count / 2, shared)
                  : chunkBytes(depth, count, shared));
      weights += weight;
    }
    return Math.round(bytes / weights * (1L << depth));
  }

  /** Returns the probability that a Poisson variable is at least 2. */
  private static double atLeastTwo(double mean) {
    return mean < 1e-4
        ? mean * mean / 2 // the difference below would be inexact
        : -StrictMath.expm1(-mean) - mean * StrictMath.exp(-mean);
  }

  /** Returns a number that few of the chunks of a depth are below. */
  private static double fewest(double fingerprints, int depth) {
    double mean = fingerprints / (1L << depth);
    return depth == 0 ? mean : mean - MAX_DEVIATIONS * Math.sqrt(mean);
  }

  /**
   * Returns the expected bytes of a chunk.
   *
   * @param shared the fraction of fingerprints with several elements, which are in a second table
   */
  private double chunkBytes(int depth, double fingerprints, double shared) {
    double second = fingerprints * shared;
    return Chunk.EMPTY_BYTES
        + ChunkDirectory.REFERENCE_BYTES
        + tableBytes(depth, fingerprints)
        - StrictMath.expm1(-second)
            * (FingerprintSet.OBJECT_BYTES
                + ChunkDirectory.REFERENCE_BYTES
                + ExtraCopies.OBJECT_BYTES
                + ExtraCopies.markBytes(second)
                + tableBytes(depth, second));
  }

  private long tableBytes(int depth, double fingerprints) {
    int size = buckets[sizeIndexFor(fingerprints)];
    return TableShape.tableBytes(
        size, Quotients.remainderBits(space.fingerprints(depth), size) + 1 + stampBits);
  }

  /** Returns the index of the largest size of a table of a depth before it is divided. */
  private int last(int depth) {
    return depth < plannedDepth ? lastRegular : lastFine;
  }

  private int limit(int sizeIndex) {
    return (int) (LOAD * TableShape.SLOTS * buckets[sizeIndex]);
  }

  /** Returns the index of the smallest size that has room for a number of fingerprints. */
  int sizeIndexFor(double fingerprints) {
    int sizeIndex = 0;
    while (sizeIndex < buckets.length - 1 && limit(sizeIndex) < fingerprints) {
      sizeIndex++;
    }
    return sizeIndex;
  }

  /**
   * Returns whether a set that has no room is divided into two and not put into a larger table. It
   * is divided if that table would be too large, or if it has free slots and many clustered
   * fingerprints that cannot reach these slots.
   */
  boolean isDivided(FingerprintSet full) {
    TableShape shape = full.shape;
    if (shape.depth == space.maxDepth()) {
      return false;
    }
    return full.size() < CLUSTERED * shape.limit
        ? full.size() >= MIN_CLUSTER
        : shape.sizeIndex >= last(shape.depth);
  }

  /** Returns whether a half of a divided set, in a new table, must be divided again at once. */
  boolean isCluster(FingerprintSet half) {
    return half.isSparse() && half.size() >= MIN_CLUSTER && half.shape.depth < space.maxDepth();
  }

  /** Returns the largest number of fingerprints in a table of a depth before it is divided. */
  int maxFingerprintsAt(int depth) {
    return depth < space.maxDepth() ? limit(last(depth)) : Integer.MAX_VALUE;
  }

  /**
   * Returns the index of the largest size to try for fingerprints that would fit into size number
   * {@code sizeIndex} if they were evenly spread.
   */
  int maxSizeIndex(int depth, int sizeIndex, int fingerprints) {
    boolean isLast = depth == space.maxDepth() || fingerprints < MIN_CLUSTER;
    return isLast ? Integer.MAX_VALUE : sizeIndex + 1;
  }

  /** Returns the index of the size for a table that shrinks to a number of fingerprints. */
  int sizeIndexToShrinkTo(int fingerprints) {
    return sizeIndexFor(fingerprints / REFILLED + 1);
  }

  /** Returns the index of the smallest size of a chunk of a depth. */
  int minSizeIndex(int depth) {
    return depth == smallest.depth ? smallest.sizeIndex : 0;
  }

  /** Returns whether a chunk should shrink, or be joined with its neighbor. */
  boolean isShrunk(Chunk chunk) {
    return chunk.isSparse() && chunk.shape != smallest;
  }

  /** Returns a filled table, of the given size or the next larger one that has room. */
  TableFiller filled(int depth, int minSizeIndex, Predicate<TableFiller> contents) {
    return Objects.requireNonNull(filled(depth, minSizeIndex, Integer.MAX_VALUE, contents));
  }

  /** Returns a filled table of the smallest size in a range that has room, or null if none has. */
  @Nullable TableFiller filled(
      int depth, int minSizeIndex, int maxSizeIndex, Predicate<TableFiller> contents) {
    for (int sizeIndex = minSizeIndex; sizeIndex <= maxSizeIndex; sizeIndex++) {
      TableFiller table = new TableFiller(shape(depth, sizeIndex));
      if (contents.test(table)) {
        return table;
      }
    }
    return null;
  }

  /**
   * Returns whether two tables of one depth are joined, given their total number of fingerprints.
   */
  boolean areJoined(int fingerprints) {
    return fingerprints < JOINED * limit(lastRegular);
  }
}
