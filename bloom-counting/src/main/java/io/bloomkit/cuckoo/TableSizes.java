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
 * <p>A table gets a fifth and a sixth slot per bucket, which moves no fingerprint, and then twice
 * the buckets. With the planned size, all tables are full when the filter holds the planned number
 * of elements. That size has the number of slots per bucket with which rounding the bits of a slot
 * up wastes least. By chance, some tables then hold more than others, and get the next size.
 *
 * <p>In steady traffic, the fingerprints of tables with stamps change while their number does not,
 * so sooner or later each table has more than its mean number. Beyond the planned size, they have a
 * few sizes in finer steps for that, with more buckets each.
 *
 * <p>Tables are divided before they hold {@value #MAX_ELEMENTS} fingerprints times 1.5. So a table
 * fits into the cache while it grows, and an operation moves only a few thousand fingerprints.
 *
 * <p>Thread-safe.
 */
class TableSizes {

  /**
   * The fraction of slots that may be occupied, by slots per bucket from {@link
   * TableShape#MIN_SLOTS} on. Above some 0.97, 0.98 and 0.985 there is often no arrangement.
   */
  private static final double[] LOADS = {0.955, 0.965, 0.972};

  private static final int MAX_ELEMENTS = 11_000;

  /**
   * The planned size has room for the mean number of fingerprints in a table plus this many
   * standard deviations. With a smaller number, more tables need the next size; with a larger one,
   * all tables are larger.
   */
  private static final int DEVIATIONS = 2;

  /** The same for tables with stamps, which have finer steps. */
  private static final int DEVIATIONS_WITH_STAMPS = 1;

  /**
   * The same for tables that are allocated for the plan. One in thirty thousand has to grow before
   * the filter is full.
   */
  private static final int ALLOCATED_DEVIATIONS = 4;

  private static final int MIN_BUCKETS = 8;

  private static final double STEP = 1.26;

  /** The step of tables with stamps beyond the planned size. */
  private static final double FINE_STEP = 1.03;

  /** The largest size in finer steps, relative to the planned size. */
  private static final double MAX_FINE = 1.2;

  /**
   * The fraction of its limit below which a table shrinks. A table grows at 1, and a new table is
   * filled to 0.75 to 0.9. So the number of operations between two resizes is proportional to the
   * size.
   */
  private static final double SHRUNK = 0.45;

  /** The same for tables with stamps, which lose fingerprints only once per epoch. */
  private static final double SHRUNK_WITH_STAMPS = 0.58;

  /**
   * The fraction of its limit below which a table with stamps shrinks after it was swept. It then
   * has the fewest fingerprints of the epoch, a fifteenth fewer than the most.
   */
  private static final double SHRUNK_BY_SWEEP = 0.8;

  /** The fraction of the limit of the largest size below which two tables are joined. */
  private static final double JOINED = 0.4;

  /** The same for tables with stamps: both together take no more memory than one would. */
  private static final double JOINED_WITH_STAMPS = 0.85;

  /** The largest fraction of its limit to which a table is filled after shrinking. */
  private static final double REFILLED = 0.75;

  /** The same for tables with stamps: there is room for the fingerprints of the next epoch. */
  private static final double REFILLED_WITH_STAMPS = 0.88;

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

  /** A size of a table. */
  private record Size(int buckets, int slots) {

    /** Returns the size for a number of fingerprints. */
    static Size of(double fingerprints, int minBuckets, int slots) {
      double buckets = Math.ceil(fingerprints / (slots * load(slots)));
      return new Size((int) Math.max(minBuckets, buckets), slots);
    }

    /** Returns the largest number of slots that may be occupied. */
    int limit() {
      return (int) (load(slots) * slots * buckets);
    }

    long tableBytes(long fingerprints, int stampBits) {
      int width = Quotients.remainderBits(fingerprints, buckets) + 1;
      return TableShape.tableBytes(buckets, slots, width + stampBits);
    }

    private static double load(int slots) {
      return LOADS[slots - TableShape.MIN_SLOTS];
    }
  }

  final FingerprintSpace space;

  /** The depth of all tables once the filter holds the planned elements. */
  final int plannedDepth;

  /** All sizes, ascending. */
  private final List<Size> sizes;

  private final int plannedIndex;

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
    int deviations =
        isAllocated ? ALLOCATED_DEVIATIONS : stampBits == 0 ? DEVIATIONS : DEVIATIONS_WITH_STAMPS;
    double most = depth == 0 ? each : each + deviations * Math.sqrt(each);
    int min = minBuckets(space);
    Size planned = smallestOf(most, min, space.fingerprints(depth), stampBits);
    this.sizes =
        sizesTo(planned.buckets, stampBits == 0 ? TableShape.MAX_SLOTS : planned.slots, min);
    this.plannedIndex = sizes.indexOf(planned);
    this.lastRegular = sizes.size() - 1;
    double last = planned.buckets;
    double end = stampBits == 0 ? 0 : last * MAX_FINE;
    while (last < end) {
      last *= FINE_STEP;
      sizes.add(new Size((int) Math.ceil(last) + 1, planned.slots));
    }
    this.lastFine = sizes.size() - 1;
    int slots = sizes.get(lastFine).slots;
    for (int i = 0; i < STEPS_BEYOND && last < Integer.MAX_VALUE / STEP / slots; i++) {
      last *= STEP;
      sizes.add(new Size((int) Math.ceil(last) + 2, slots));
    }
    this.smallest = isAllocated ? shape(depth, plannedIndex) : shape(0, 0);
  }

  /** Returns the size for a number of fingerprints whose tables take the fewest bits. */
  private static Size smallestOf(
      double fingerprints, int minBuckets, long possible, int stampBits) {
    Size smallest = Size.of(fingerprints, minBuckets, TableShape.MIN_SLOTS);
    for (int slots = TableShape.MIN_SLOTS + 1; slots <= TableShape.MAX_SLOTS; slots++) {
      Size size = Size.of(fingerprints, minBuckets, slots);
      smallest =
          size.tableBytes(possible, stampBits) < smallest.tableBytes(possible, stampBits)
              ? size
              : smallest;
    }
    return smallest;
  }

  /** Returns all sizes up to a number of buckets with a number of slots, ascending. */
  private static List<Size> sizesTo(int buckets, int slotsOfLast, int minBuckets) {
    List<Size> sizes = new ArrayList<>();
    int maxSlots = slotsOfLast;
    double next = buckets;
    double before;
    do {
      for (int slots = maxSlots; slots >= TableShape.MIN_SLOTS; slots--) {
        sizes.add(new Size((int) Math.ceil(next), slots));
      }
      maxSlots = TableShape.MAX_SLOTS;
      before = next;
      next = Math.max(minBuckets, next / 2);
    } while (TableShape.MAX_SLOTS * next < TableShape.MIN_SLOTS * before);
    Collections.reverse(sizes);
    return sizes;
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
                sizes.get(sizeIndex).buckets,
                sizes.get(sizeIndex).slots,
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
      boolean shouldDivide = depth < space.maxDepth() && count > limit(last(depth));
      bytes +=
          weight
              * (shouldDivide
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
    return sizes.get(sizeIndexFor(fingerprints)).tableBytes(space.fingerprints(depth), stampBits);
  }

  /** Returns the index of the largest size of a table of a depth before it is divided. */
  private int last(int depth) {
    return depth < plannedDepth ? lastRegular : lastFine;
  }

  private int limit(int sizeIndex) {
    return sizes.get(sizeIndex).limit();
  }

  /** Returns the index of the smallest size that has room for a number of fingerprints. */
  int sizeIndexFor(double fingerprints) {
    int sizeIndex = 0;
    while (sizeIndex < sizes.size() - 1 && limit(sizeIndex) < fingerprints) {
      sizeIndex++;
    }
    return sizeIndex;
  }

  /**
   * Returns whether a set that has no room is divided into two and not put into a larger table. It
   * is divided if that table would be too large, or if it has free slots and many clustered
   * fingerprints that cannot reach these slots.
   */
  boolean shouldDivide(FingerprintSet full) {
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
    double refilled = stampBits == 0 ? REFILLED : REFILLED_WITH_STAMPS;
    return sizeIndexFor(fingerprints / refilled + 1);
  }

  /** Returns the index of the smallest size of a chunk of a depth. */
  int minSizeIndex(int depth) {
    return depth == smallest.depth ? smallest.sizeIndex : 0;
  }

  /** Returns whether a chunk should shrink, or be joined with its neighbor. */
  boolean shouldShrink(Chunk chunk) {
    return chunk.isSparse() && chunk.shape != smallest;
  }

  /**
   * Returns whether a chunk that was swept just now should shrink or be joined: with stamps, sooner
   * than after a removal, so that memory follows the traffic down.
   */
  boolean shouldShrinkAfterSweep(Chunk chunk) {
    return shouldShrink(chunk) || isSwept(chunk) || mayBeJoined(chunk);
  }

  private boolean isSwept(FingerprintSet set) {
    return stampBits > 0
        && set.size() < SHRUNK_BY_SWEEP * set.shape.limit
        && sizeIndexToShrinkTo(set.size()) < set.shape.sizeIndex
        && set.shape.sizeIndex > minSizeIndex(set.shape.depth);
  }

  private boolean mayBeJoined(Chunk chunk) {
    int depth = chunk.shape.depth;
    return stampBits > 0 && depth > smallest.depth && shouldJoin(depth, 2 * chunk.size());
  }

  /** Returns whether a chunk is put into a smaller table if it is not joined with its neighbor. */
  boolean shouldShrinkAlone(Chunk chunk) {
    return chunk.isSparse() || isSwept(chunk);
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

  /** Returns whether two tables of a depth are joined, given their total number of fingerprints. */
  boolean shouldJoin(int depth, int fingerprints) {
    return stampBits == 0
        ? fingerprints < JOINED * limit(lastRegular)
        : fingerprints < JOINED_WITH_STAMPS * limit(last(depth - 1));
  }
}
