package io.bloomkit.testkit;

import io.bloomkit.BloomFormulas;
import io.bloomkit.DeletableFilter;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The simplest right counting filter, for the contracts to pass on and broken ones to extend. */
class IntCountersFilter implements DeletableFilter<Long> {

  final FlatShape shape;
  final int[] counters;

  IntCountersFilter(long expectedInsertions, double fpp) {
    this.shape = Shape.of(expectedInsertions, fpp);
    this.counters = new int[Math.toIntExact(shape.positions())];
  }

  /** The positions of a hash: each counts as often as it is derived. */
  final int[] positions(long hash) {
    return IntStream.range(0, shape.hashes()).map(i -> (int) shape.positionOf(hash, i)).toArray();
  }

  void increment(int position) {
    counters[position]++;
  }

  void decrement(int position) {
    counters[position]--;
  }

  @Override
  public boolean addHash(long hash) {
    boolean absent = !mightContainHash(hash);
    for (int position : positions(hash)) {
      increment(position);
    }
    return absent;
  }

  @Override
  public boolean removeHash(long hash) {
    int[] positions = positions(hash);
    for (int position : positions) {
      if (counters[position] < Arrays.stream(positions).filter(p -> p == position).count()) {
        return false;
      }
    }
    for (int position : positions) {
      decrement(position);
    }
    return true;
  }

  @Override
  public long countHash(long hash) {
    long least = Long.MAX_VALUE;
    for (int position : positions(hash)) {
      least = Math.min(least, counters[position]);
    }
    return least;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return countHash(hash) > 0;
  }

  @Override
  public void clear() {
    Arrays.fill(counters, 0);
  }

  long setPositions() {
    return Arrays.stream(counters).filter(c -> c != 0).count();
  }

  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(setPositions(), shape.positions(), shape.hashes());
  }

  @Override
  public long approximateElementCount() {
    return Math.round(
        BloomFormulas.estimatedElements(setPositions(), shape.positions(), shape.hashes()));
  }

  @Override
  public long memoryBytes() {
    return (long) Integer.BYTES * counters.length;
  }

  @Override
  public LongHashStrategy strategy() {
    return HashStrategies.longs();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IntCountersFilter that
        && shape.equals(that.shape)
        && Arrays.equals(counters, that.counters);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + Arrays.hashCode(counters);
  }
}
