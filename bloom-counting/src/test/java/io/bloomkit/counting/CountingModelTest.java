package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * {@link CountingBloomFilter} beside its model, an array of numbers to which an element adds one
 * for each position that it derives. The filters are so small that most elements derive a position
 * more than once, and counters pass fifteen and come back.
 */
class CountingModelTest {

  private static final int[] POSITIONS = {1, 2, 5, 16, 17, 60, 200};
  private static final int[] HASHES = {1, 2, 3, 6, 7, 8, 15, 16, 17, 32, 33, 64};
  private static final int STEPS = 400;

  private static CountingBloomFilter.Builder<Long> builder(FlatShape shape, boolean concurrent) {
    CountingBloomFilter.Builder<Long> builder =
        CountingBloomFilter.builder(HashStrategies.longs()).shape(shape);
    return concurrent ? builder.concurrent() : builder;
  }

  /** The counters of a filter as the definition has them. */
  private static final class Model {

    private final FlatShape shape;
    private final long[] counters;
    private long elements;

    Model(FlatShape shape) {
      this.shape = shape;
      this.counters = new long[Math.toIntExact(shape.positions())];
    }

    private int[] positions(long hash) {
      long[] positions = new long[shape.hashes()];
      shape.positionsOf(hash, positions);
      return Arrays.stream(positions).mapToInt(Math::toIntExact).toArray();
    }

    boolean add(long hash, long copies) {
      boolean absent = count(hash) == 0;
      for (int position : positions(hash)) {
        counters[position] += copies;
      }
      elements += copies;
      return absent;
    }

    boolean remove(long hash, long copies) {
      long[] left = counters.clone();
      for (int position : positions(hash)) {
        left[position] -= copies;
      }
      if (Arrays.stream(left).anyMatch(counter -> counter < 0)) {
        return false;
      }
      System.arraycopy(left, 0, counters, 0, left.length);
      elements -= copies;
      return true;
    }

    long count(long hash) {
      return Arrays.stream(positions(hash)).mapToLong(p -> counters[p]).min().orElseThrow();
    }

    void plus(Model other, int sign) {
      Arrays.setAll(counters, i -> counters[i] + sign * other.counters[i]);
      elements += sign * other.elements;
    }

    boolean holds(Model other) {
      for (int i = 0; i < counters.length; i++) {
        if (counters[i] < other.counters[i]) {
          return false;
        }
      }
      return true;
    }

    long nonZero() {
      return Arrays.stream(counters).filter(counter -> counter > 0).count();
    }
  }

  @Test
  void everyHistoryIsThatOfTheModel() throws IOException {
    for (boolean concurrent : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(20_261_123);
      for (int positions : POSITIONS) {
        for (int hashes : HASHES) {
          go(concurrent, new FlatShape(positions, hashes), random);
        }
      }
    }
  }

  private static void go(boolean concurrent, FlatShape shape, SplittableRandom random)
      throws IOException {
    CountingBloomFilter<Long> filter = builder(shape, concurrent).build();
    Model model = new Model(shape);
    // Some of these are removed though they were never added.
    long[] hashes = random.longs(1 + random.nextInt(12)).toArray();
    for (int step = 0; step < STEPS; step++) {
      long hash = hashes[random.nextInt(hashes.length)];
      boolean rising = step / 80 % 2 == 0;
      int choice = random.nextInt(100);
      int copies = 1 + random.nextInt(20);
      if (choice < (rising ? 60 : 22)) {
        assertEquals(model.add(hash, 1), filter.addHash(hash), "add");
      } else if (choice < (rising ? 65 : 25)) {
        assertEquals(model.add(hash, copies), filter.addHash(hash, copies), "add of copies");
      } else if (choice < 85) {
        assertEquals(model.remove(hash, 1), filter.removeHash(hash), "remove");
      } else if (choice < 90) {
        assertEquals(model.remove(hash, copies), filter.removeHash(hash, copies), "copies");
      } else if (choice < 95) {
        mergeOrSubtract(filter, model, concurrent, hashes, random);
      } else if (choice < 97) {
        filter = builder(shape, concurrent).fromBytes(filter.toBytes());
      } else if (choice < 99) {
        CountingBloomFilter<Long> before = filter;
        filter = filter.copy();
        assertNotSame(before, filter);
      } else {
        filter.clear();
        model = new Model(shape);
      }
      assertIs(model, filter, hash);
    }
    assertLooksLike(model, filter, hashes);
  }

  private static void mergeOrSubtract(
      CountingBloomFilter<Long> filter,
      Model model,
      boolean concurrent,
      long[] hashes,
      SplittableRandom random) {
    CountingBloomFilter<Long> other = builder(filter.shape(), concurrent).build();
    Model otherModel = new Model(filter.shape());
    for (int i = random.nextInt(20); i > 0; i--) {
      long hash = hashes[random.nextInt(hashes.length)];
      other.addHash(hash);
      otherModel.add(hash, 1);
    }
    if (random.nextBoolean()) {
      filter.merge(other);
      model.plus(otherModel, 1);
    } else if (model.holds(otherModel)) {
      filter.subtract(other);
      model.plus(otherModel, -1);
    } else {
      assertThrows(IllegalArgumentException.class, () -> filter.subtract(other));
    }
  }

  private static void assertIs(Model model, CountingBloomFilter<Long> filter, long hash) {
    for (int i = 0; i < model.counters.length; i++) {
      assertEquals(model.counters[i], filter.counter(i), "counter " + i);
    }
    assertEquals(model.count(hash) > 0, filter.mightContainHash(hash), "query");
    assertEquals(model.count(hash), filter.countHash(hash), "count");
    assertEquals(OptionalLong.of(model.elements), filter.elementCount(), "element count");
    assertEquals(model.nonZero(), filter.nonZeroCounters(), "counters above zero");
    long overflowed = Arrays.stream(model.counters).filter(counter -> counter > 15).count();
    assertEquals(overflowed, filter.overflowedCounters(), "counters above fifteen");
  }

  private static void assertLooksLike(
      Model model, CountingBloomFilter<Long> filter, long[] hashes) {
    FlatShape shape = filter.shape();
    assertEquals(
        BloomFormulas.fppAtFill(model.nonZero(), shape.positions(), shape.hashes()),
        filter.expectedFpp());
    assertEquals(
        Math.round(
            BloomFormulas.estimatedElements(model.nonZero(), shape.positions(), shape.hashes())),
        filter.approximateElementCount());
    assertTrue(
        filter.toString().contains("netInsertions=" + filter.elementCount().getAsLong() + ","),
        filter.toString());
    ClassicBloomFilter<Long> classic = filter.toClassic();
    assertEquals(model.nonZero(), classic.setPositions());
    for (long hash : hashes) {
      assertEquals(model.count(hash) > 0, classic.mightContainHash(hash));
    }
  }

  /** What is left after removals in any order is the filter that only saw it, bit for bit. */
  @Test
  void removalsLeaveTheFilterOfTheRemainingElements() {
    for (boolean concurrent : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(20_261_124);
      for (int positions : POSITIONS) {
        for (int hashes : HASHES) {
          assertLeavesTheFilterOfWhatIsLeft(concurrent, new FlatShape(positions, hashes), random);
        }
      }
    }
  }

  private static void assertLeavesTheFilterOfWhatIsLeft(
      boolean concurrent, FlatShape shape, SplittableRandom random) {
    long[] added = random.longs(60).toArray();
    CountingBloomFilter<Long> filter = builder(shape, concurrent).build();
    CountingBloomFilter<Long> left = builder(shape, concurrent).build();
    filter.addHashes(added, 0, 60);
    for (int i = 59; i >= 0; i--) {
      if (i % 3 == 0) {
        left.addHash(added[i]);
      } else {
        assertTrue(filter.removeHash(added[i]), "remove of what was added");
      }
    }
    assertEquals(left, filter);
    assertArrayEquals(left.toBytes(), filter.toBytes());
    assertEquals(left.nonZeroCounters(), filter.nonZeroCounters());
  }
}
