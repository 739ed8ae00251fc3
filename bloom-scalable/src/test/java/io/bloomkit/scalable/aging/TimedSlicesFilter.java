package io.bloomkit.scalable.aging;

import io.bloomkit.LayeredFormulas;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The simplest right filter of a stretch of time; broken ones extend it. */
class TimedSlicesFilter extends SlicesFilter {

  final InstantSource clock;
  final long generationMillis;
  long start;

  TimedSlicesFilter(Duration window, long expectedAdditions, double fpp, InstantSource clock) {
    super(expectedAdditions, fpp);
    if (window.isZero() || window.isNegative()) {
      throw new IllegalArgumentException("no window of " + window);
    }
    this.clock = clock;
    this.generationMillis = (window.toMillis() + historicSlices - 1) / historicSlices;
    this.start = clock.millis();
  }

  /** How many generations are over, no more than there are slices. */
  int due() {
    long now = clock.millis();
    if (now <= start) {
      return 0;
    }
    long elapsed = now - start; // below zero if it is more than a long holds
    return elapsed < 0 ? slices.size() : (int) Math.min(slices.size(), elapsed / generationMillis);
  }

  @Override
  boolean addHash(long hash) {
    boolean positive = mightContainHash(hash);
    goOn(due());
    set(hash);
    additions++;
    return !positive;
  }

  void goOn(int due) {
    if (due == slices.size()) {
      clear();
    } else {
      for (int i = 0; i < due; i++) {
        shift();
        start += generationMillis;
      }
    }
  }

  @Override
  public boolean mightContainHash(long hash) {
    return mightContainHash(hash, slices.size() - due());
  }

  final boolean mightContainHash(long hash, int youngest) {
    int run = 0;
    for (Slice slice : slicesUpTo(youngest)) {
      run = slice.bits().get(position(slice, hash)) ? run + 1 : 0;
      if (run == hashes) {
        return true;
      }
    }
    return false;
  }

  private List<Slice> slicesUpTo(int youngest) {
    return new ArrayList<>(slices).subList(0, youngest);
  }

  @Override
  void clear() {
    super.clear();
    start = clock.millis();
  }

  Duration timeUntilForgotten() {
    return Duration.ofMillis((hashes + historicSlices) * generationMillis);
  }

  @Override
  public double expectedFpp() {
    double[] fillRatios =
        slicesUpTo(slices.size() - due()).stream()
            .mapToDouble(slice -> (double) slice.bits().cardinality() / slicePositions)
            .toArray();
    return LayeredFormulas.agePartitionedFpp(hashes, fillRatios);
  }

  @Override
  public long approximateElementCount() {
    return due() == slices.size() ? 0 : super.approximateElementCount();
  }
}
