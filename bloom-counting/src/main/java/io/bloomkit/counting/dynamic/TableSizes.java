package io.bloomkit.counting.dynamic;

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
 * The sizes that the tables of a filter go through as it grows, each about a quarter above the one
 * before, and when a table is divided into two instead.
 *
 * <p>Tables are divided when they hold {@value #MOST_ELEMENTS} fingerprints or fewer. So the cache
 * holds a table while it grows, and no operation moves more than some thousand fingerprints. The
 * largest regular size is chosen so that all tables are full when the filter holds the planned
 * elements. Some tables then hold more than others, by chance: finer steps follow for those.
 *
 * <p>Thread-safe.
 */
final class TableSizes {

  /** The share of places that may be taken. Above 0.97 there is often no arrangement at all. */
  static final double LOAD = 0.955;

  private static final int MOST_ELEMENTS = 11_000;

  /**
   * Standard deviations above the mean number of fingerprints in a table up to which the largest
   * regular size has room. With fewer, more tables need a larger one; with more, all are larger.
   */
  private static final int DEVIATIONS = 1;

  /** Buckets of the smallest table. */
  private static final int LEAST_BUCKETS = 8;

  private static final double STEP = 1.26;
  private static final double FINE_STEP = 1.06;

  /** Beyond it tables of the planned depth are divided too. */
  private static final double MOST_FINE = 1.2;

  /**
   * The share of its limit below which a table shrinks. It grows at 1 and is filled to 0.75 to 0.9
   * when it was made, so the operations between two of its sizes are in proportion to its size.
   */
  private static final double SHRUNK = 0.45;

  /** The share of the largest regular limit below which two tables are joined. */
  private static final double JOINED = 0.4;

  /** The share of its limit to which a table that shrank is filled at most. */
  private static final double REFILLED = 0.75;

  /** The share of its limit that a table of evenly spread fingerprints reaches in practice. */
  private static final double CLUSTERED = 0.7;

  /**
   * Fewer fingerprints that share their first bits stay in one table, however large: a row of
   * divided chunks would take more.
   */
  static final int LEAST_CLUSTER = 192;

  /** Steps for tables that cannot be divided, whose fingerprints all share their hashes' bits. */
  private static final int STEPS_BEYOND = 40;

  private static final long SECRET = ThreadLocalRandom.current().nextLong();

  final FingerprintSpace space;

  /** The depth of all tables once the filter holds the planned elements. */
  final int plannedDepth;

  private final int[] buckets;
  private final int lastRegular;
  private final int lastFine;
  private final ConcurrentMap<Long, TableShape> shapes = new ConcurrentHashMap<>();

  /** Makes second buckets unpredictable; not part of any file, since files hold fingerprints. */
  private final long secret;

  TableSizes(FingerprintSpace space, long maxElements) {
    this(space, maxElements, SECRET);
  }

  /** For tests, which take the same second buckets in each run. */
  TableSizes(FingerprintSpace space, long maxElements, long secret) {
    this.space = space;
    this.secret = secret;
    int depth = 0;
    while (depth < space.maxDepth() && maxElements >> depth > MOST_ELEMENTS) {
      depth++;
    }
    this.plannedDepth = depth;
    double each = (double) maxElements / (1L << depth);
    double most = depth == 0 ? each : each + DEVIATIONS * Math.sqrt(each);
    double largest = Math.max(2, Math.ceil(most / (TableShape.SLOTS * LOAD)));
    List<Integer> sizes = new ArrayList<>();
    int least = leastBuckets(space);
    for (double size = largest; sizes.isEmpty() || size >= least; size /= STEP) {
      sizes.add((int) Math.ceil(Math.max(size, least)));
    }
    Collections.reverse(sizes);
    this.lastRegular = sizes.size() - 1;
    double size = sizes.get(lastRegular);
    double mostFine = size * MOST_FINE;
    while (size < mostFine) {
      size *= FINE_STEP;
      sizes.add((int) Math.ceil(size) + 1);
    }
    this.lastFine = sizes.size() - 1;
    for (int i = 0; i < STEPS_BEYOND && size < Integer.MAX_VALUE / STEP / TableShape.SLOTS; i++) {
      size *= STEP;
      sizes.add((int) Math.ceil(size) + 2);
    }
    this.buckets = sizes.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the fewest buckets: in fewer, remainders would not fit their places. */
  private static int leastBuckets(FingerprintSpace space) {
    int least = LEAST_BUCKETS;
    while (Quotients.remainderBits(space.fingerprints(), least) >= TableShape.WIDEST) {
      least++;
    }
    return least;
  }

  /** Returns the shape of a table. */
  TableShape shape(int depth, int rung) {
    return shapes.computeIfAbsent(
        ((long) depth << Integer.SIZE) | rung,
        key ->
            new TableShape(
                depth,
                space.fingerprints(depth),
                buckets[rung],
                rung,
                limit(rung),
                rung == 0 && depth == 0 ? 0 : (int) (SHRUNK * limit(rung)),
                secret));
  }

  /** Returns the bytes of tables that hold a number of fingerprints, evenly spread. */
  long memoryBytes(long fingerprints) {
    int depth = 0;
    while (depth < space.maxDepth() && fingerprints >> depth > limit(last(depth))) {
      depth++;
    }
    long each = fingerprints >> depth;
    int width =
        Quotients.remainderBits(space.fingerprints(depth), buckets[rungFor((double) each)]) + 1;
    return (Chunk.EMPTY_BYTES
            + ChunkDirectory.REFERENCE_BYTES
            + TableShape.tableBytes(buckets[rungFor((double) each)], width))
        << depth;
  }

  /** Returns the index of the largest size that a table of a depth has before it is divided. */
  private int last(int depth) {
    return depth < plannedDepth ? lastRegular : lastFine;
  }

  private int limit(int rung) {
    return (int) (LOAD * TableShape.SLOTS * buckets[rung]);
  }

  /** Returns the index of the smallest size that has room for some fingerprints. */
  int rungFor(double fingerprints) {
    int rung = 0;
    while (rung < buckets.length - 1 && limit(rung) < fingerprints) {
      rung++;
    }
    return rung;
  }

  /**
   * Returns whether a set that has no room is divided into two rather than put into a larger table:
   * if that would be too large, or if there are free places and many fingerprints that differ too
   * little to reach them.
   */
  boolean isDivided(FingerprintSet full) {
    TableShape shape = full.shape;
    if (shape.depth == space.maxDepth()) {
      return false;
    }
    return full.size() < CLUSTERED * shape.limit
        ? full.size() >= LEAST_CLUSTER
        : shape.rung >= last(shape.depth);
  }

  /** Returns whether the half of a divided set, in a new table, is to be divided at once. */
  boolean isCluster(FingerprintSet half) {
    return half.isSparse() && half.size() >= LEAST_CLUSTER && half.shape.depth < space.maxDepth();
  }

  /** Returns how many fingerprints a table of a depth holds before it is divided. */
  int mostAt(int depth) {
    return depth < space.maxDepth() ? limit(last(depth)) : Integer.MAX_VALUE;
  }

  /**
   * Returns the index of the largest size in which to try fingerprints that would fit the size of a
   * rung if their bits were evenly spread.
   */
  int mostRung(int depth, int rung, int fingerprints) {
    boolean isLast = depth == space.maxDepth() || fingerprints < LEAST_CLUSTER;
    return isLast ? Integer.MAX_VALUE : rung + 1;
  }

  /** Returns the index of the size for a table that shrinks to some fingerprints. */
  int rungToShrinkTo(int fingerprints) {
    return rungFor(fingerprints / REFILLED + 1);
  }

  /** Returns a table of a size, or of a larger one, that takes what a filler is given. */
  TableFiller filled(int depth, int leastRung, Predicate<TableFiller> contents) {
    return Objects.requireNonNull(filled(depth, leastRung, Integer.MAX_VALUE, contents));
  }

  /** Returns such a table whose size is in a range, or null if none takes it. */
  @Nullable TableFiller filled(
      int depth, int leastRung, int mostRung, Predicate<TableFiller> contents) {
    for (int rung = leastRung; rung <= mostRung; rung++) {
      TableFiller table = new TableFiller(shape(depth, rung));
      if (contents.test(table)) {
        return table;
      }
    }
    return null;
  }

  /**
   * Returns whether two tables of one depth that hold this many fingerprints together are joined.
   */
  boolean areJoined(int fingerprints) {
    return fingerprints < JOINED * limit(lastRegular);
  }
}
