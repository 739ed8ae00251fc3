package io.bloomkit.scalable.aging;

import io.bloomkit.BloomFormulas;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.MembershipFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.IndexDerivation;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/** The simplest right window filter, for the contract to pass on and for broken ones to extend. */
class SlicesFilter implements MembershipFilter<Long> {

  /** The leap to the position that an element has in it, and its bits. */
  record Slice(long leap, BitSet bits) {}

  final Deque<Slice> slices = new ArrayDeque<>();
  final int hashes;
  final int historicSlices;
  final int slicePositions;
  final int generationAdditions;
  int additions;

  SlicesFilter(long lastAdditions, double fpp) {
    if (lastAdditions < 1 || !(fpp > 0 && fpp < 1)) {
      throw new IllegalArgumentException("no window of " + lastAdditions + " at " + fpp);
    }
    int k = 1;
    while (designFpp(k, lastAdditions) > fpp) {
      k++;
    }
    this.hashes = k;
    this.historicSlices = k;
    this.generationAdditions = generationAdditions(k, lastAdditions);
    this.slicePositions = slicePositions(k, lastAdditions);
    for (int id = 0; id < 2 * k; id++) {
      slices.addLast(new Slice(IndexDerivation.leap(id), new BitSet()));
    }
  }

  private static double designFpp(int k, long lastAdditions) {
    return LayeredFormulas.agePartitionedFpp(
        k,
        LayeredFormulas.agePartitionedFillRatios(
            k, 2 * k, slicePositions(k, lastAdditions), generationAdditions(k, lastAdditions)));
  }

  private static int generationAdditions(int k, long lastAdditions) {
    return (int) Math.ceil((double) lastAdditions / k);
  }

  private static int slicePositions(int k, long lastAdditions) {
    return (int) Math.ceil(k * generationAdditions(k, lastAdditions) / Math.log(2));
  }

  final boolean add(Long element) {
    return addHash(hashOf(element));
  }

  boolean addHash(long hash) {
    boolean positive = mightContainHash(hash);
    if (additions == generationAdditions) {
      shift();
    }
    set(hash);
    additions++;
    return !positive;
  }

  void shift() {
    slices.addFirst(new Slice(slices.removeLast().leap(), new BitSet()));
    additions = 0;
  }

  void set(long hash) {
    int age = 0;
    for (Slice slice : slices) {
      if (age++ < hashes) {
        slice.bits().set(position(slice, hash));
      }
    }
  }

  @Override
  public boolean mightContain(Long element) {
    return mightContainHash(hashOf(element));
  }

  long hashOf(Long element) {
    return strategy().hashLong(element);
  }

  @Override
  public boolean mightContainHash(long hash) {
    int run = 0;
    for (Slice slice : slices) {
      run = slice.bits().get(position(slice, hash)) ? run + 1 : 0;
      if (run == hashes) {
        return true;
      }
    }
    return false;
  }

  final int position(Slice slice, long hash) {
    return (int)
        IndexDerivation.position(IndexDerivation.start(hash) * slice.leap(), slicePositions);
  }

  void clear() {
    slices.clear();
    for (int id = 0; id < hashes + historicSlices; id++) {
      slices.addLast(new Slice(IndexDerivation.leap(id), new BitSet()));
    }
    additions = 0;
  }

  long additionsUntilForgotten() {
    return (long) (hashes + historicSlices) * generationAdditions;
  }

  @Override
  public double expectedFpp() {
    double[] fillRatios =
        slices.stream()
            .mapToDouble(slice -> (double) slice.bits().cardinality() / slicePositions)
            .toArray();
    return LayeredFormulas.agePartitionedFpp(hashes, fillRatios);
  }

  @Override
  public long approximateElementCount() {
    double sum = 0;
    int age = 0;
    for (Slice slice : slices) {
      if (age <= historicSlices && (historicSlices - age) % hashes == 0) {
        sum += BloomFormulas.estimatedElements(slice.bits().cardinality(), slicePositions, 1);
      }
      age++;
    }
    return Math.round(sum);
  }

  @Override
  public long memoryBytes() {
    return (long) (hashes + historicSlices) * slicePositions / Byte.SIZE + 1;
  }

  @Override
  public LongHashStrategy strategy() {
    return HashStrategies.longs();
  }
}
