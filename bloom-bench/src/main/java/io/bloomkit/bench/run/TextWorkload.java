package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Maker;
import io.bloomkit.bench.subject.Subject;
import io.bloomkit.bench.subject.TextFilter;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * A workload of random texts. Each text is created from a number, which is even for stored keys and
 * odd for absent keys.
 */
final class TextWorkload extends Workload {

  /** The number of texts per call of a batch method. */
  private static final int CHUNK = 1024;

  private final Maker maker;
  private final int elements;
  private final double fpp;
  private final String[] keys;
  private final String[] absentKeys;
  private final String[] mixed;
  private TextFilter filter;

  TextWorkload(
      Subject subject, LongFunction<String> toText, int elements, double fpp, int queries) {
    this.maker = subject.maker;
    this.elements = elements;
    this.fpp = fpp;
    keys =
        new SplittableRandom(1)
            .longs(elements)
            .mapToObj(key -> toText.apply(key & ~1L))
            .toArray(String[]::new);
    absentKeys =
        new SplittableRandom(2)
            .longs(queries)
            .mapToObj(key -> toText.apply(key | 1))
            .toArray(String[]::new);
    SplittableRandom random = new SplittableRandom(3);
    mixed = absentKeys.clone();
    Arrays.setAll(mixed, i -> random.nextBoolean() ? keys[i] : absentKeys[i]);
    filter = maker.texts(1, fpp);
  }

  @Override
  public void renew() {
    filter = maker.texts(1, fpp); // releases the memory of the old filter first
    filter = maker.texts(elements, fpp);
  }

  @Override
  public long bits() {
    return filter.bits();
  }

  @Override
  public void add(int from, int to) {
    TextFilter filter = this.filter;
    for (int i = from; i < to; i++) {
      filter.add(keys[i]);
    }
  }

  @Override
  public int addUsed(int from, int to) {
    TextFilter filter = this.filter;
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

  private static int countPositives(TextFilter filter, String[] keys, int from, int to) {
    int positive = 0;
    for (int i = from; i < to; i++) {
      positive += filter.mightContain(keys[i]) ? 1 : 0;
    }
    return positive;
  }

  @Override
  public void remove(int from, int to) {
    TextFilter filter = this.filter;
    for (int i = from; i < to; i++) {
      filter.remove(keys[i]);
    }
  }

  @Override
  public void batchAdd(int from, int to) {
    for (int i = from; i < to; i += CHUNK) {
      filter.addAll(chunk(keys, i, to));
    }
  }

  @Override
  public int batchQueryPresent(int from, int to) {
    return batchCountPositives(keys, from, to);
  }

  @Override
  public int batchQueryAbsent(int from, int to) {
    return batchCountPositives(absentKeys, from, to);
  }

  private int batchCountPositives(String[] keys, int from, int to) {
    int positive = 0;
    for (int i = from; i < to; i += CHUNK) {
      positive += filter.countPositives(chunk(keys, i, to));
    }
    return positive;
  }

  @Override
  public void batchRemove(int from, int to) {
    for (int i = from; i < to; i += CHUNK) {
      filter.removeAll(chunk(keys, i, to));
    }
  }

  private static List<String> chunk(String[] keys, int from, int to) {
    return Arrays.asList(keys).subList(from, Math.min(from + CHUNK, to));
  }
}
