package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.LongFilter;
import io.bloomkit.bench.subject.Maker;
import io.bloomkit.bench.subject.Subject;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A workload of random numbers. Stored keys are even; absent keys are odd. */
final class LongWorkload extends Workload {

  private final Maker maker;
  private final int elements;
  private final double fpp;
  private final long[] keys;
  private final long[] absentKeys;
  private final long[] mixed;
  private LongFilter filter;

  LongWorkload(Subject subject, int elements, double fpp, int queries) {
    this.maker = subject.maker;
    this.elements = elements;
    this.fpp = fpp;
    keys = new SplittableRandom(1).longs(elements).map(key -> key & ~1L).toArray();
    absentKeys = new SplittableRandom(2).longs(queries).map(key -> key | 1).toArray();
    SplittableRandom random = new SplittableRandom(3);
    mixed = absentKeys.clone();
    Arrays.setAll(mixed, i -> random.nextBoolean() ? keys[i] : absentKeys[i]);
    filter = maker.longs(1, fpp);
  }

  @Override
  public void renew() {
    filter = maker.longs(1, fpp); // releases the memory of the old filter first
    filter = maker.longs(elements, fpp);
  }

  @Override
  public long bits() {
    return filter.bits();
  }

  @Override
  public void add(int from, int to) {
    LongFilter filter = this.filter;
    for (int i = from; i < to; i++) {
      filter.add(keys[i]);
    }
  }

  @Override
  public int addUsed(int from, int to) {
    LongFilter filter = this.filter;
    int added = 0;
    for (int i = from; i < to; i++) {
      added += filter.add(keys[i]) ? 1 : 0;
    }
    return added;
  }

  @Override
  public int queryPresent(int from, int to) {
    return countPositives(filter, keys, from, to);
  }

  @Override
  public int queryAbsent(int from, int to) {
    return countPositives(filter, absentKeys, from, to);
  }

  @Override
  public int queryMixed(int from, int to) {
    return countPositives(filter, mixed, from, to);
  }

  private static int countPositives(LongFilter filter, long[] keys, int from, int to) {
    int positive = 0;
    for (int i = from; i < to; i++) {
      positive += filter.mightContain(keys[i]) ? 1 : 0;
    }
    return positive;
  }

  @Override
  public void remove(int from, int to) {
    LongFilter filter = this.filter;
    for (int i = from; i < to; i++) {
      filter.remove(keys[i]);
    }
  }

  @Override
  public void batchAdd(int from, int to) {
    filter.addAll(keys, from, to);
  }

  @Override
  public int batchQueryPresent(int from, int to) {
    return filter.countPositives(keys, from, to);
  }

  @Override
  public int batchQueryAbsent(int from, int to) {
    return filter.countPositives(absentKeys, from, to);
  }

  @Override
  public void batchRemove(int from, int to) {
    filter.removeAll(keys, from, to);
  }
}
