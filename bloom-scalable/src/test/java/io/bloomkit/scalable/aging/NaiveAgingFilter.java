package io.bloomkit.scalable.aging;

import io.bloomkit.LayeredFormulas;
import io.bloomkit.internal.IndexDerivation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/** The age-partitioned filter as its paper draws it: a row of slices, the youngest first. */
final class NaiveAgingFilter {

  private record Slice(int id, BitSet bits) {}

  private final AgingShape shape;
  private final Deque<Slice> slices = new ArrayDeque<>();

  NaiveAgingFilter(AgingShape shape) {
    this.shape = shape;
    for (int id = 0; id < shape.slices(); id++) {
      slices.addLast(new Slice(id, new BitSet()));
    }
  }

  void add(long hash) {
    int age = 0;
    for (Slice slice : slices) {
      if (age++ < shape.hashes()) {
        slice.bits().set(position(hash, slice));
      }
    }
  }

  boolean isPositive(long hash) {
    int run = 0;
    for (Slice slice : slices) {
      run = slice.bits().get(position(hash, slice)) ? run + 1 : 0;
      if (run == shape.hashes()) {
        return true;
      }
    }
    return false;
  }

  void beginGeneration() {
    slices.addFirst(new Slice(slices.removeLast().id(), new BitSet()));
  }

  double expectedFpp() {
    return LayeredFormulas.agePartitionedFpp(
        shape.hashes(),
        setPositions().stream().mapToDouble(x -> (double) x / shape.slicePositions()).toArray());
  }

  List<Long> setPositions() {
    List<Long> counts = new ArrayList<>();
    slices.forEach(slice -> counts.add((long) slice.bits().cardinality()));
    return counts;
  }

  private int position(long hash, Slice slice) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < slice.id(); i++) {
      state = IndexDerivation.next(state);
    }
    return (int) IndexDerivation.position(state, shape.slicePositions());
  }
}
