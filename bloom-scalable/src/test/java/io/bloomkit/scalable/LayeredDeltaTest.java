package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Deltas between versions of filters whose layers come and go. */
class LayeredDeltaTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  /** So strict that no element goes into the layer of others by mistake. */
  private static ScalableCountingBloomFilter<Long> filter() {
    return ScalableCountingBloomFilter.create(LONGS, 1000, 1e-6);
  }

  private static void assertLeads(
      ScalableCountingBloomFilter<Long> base, ScalableCountingBloomFilter<Long> changed)
      throws FilterFormatException {
    Delta delta = Delta.fromBytes(Delta.between(base, changed).toBytes());
    ScalableCountingBloomFilter<Long> result =
        delta.apply(base, bytes -> ScalableCountingBloomFilter.fromBytes(bytes, LONGS));
    assertArrayEquals(changed.toBytes(), result.toBytes());
  }

  private static ScalableCountingBloomFilter<Long> version(ScalableCountingBloomFilter<Long> filter)
      throws FilterFormatException {
    return ScalableCountingBloomFilter.fromBytes(filter.toBytes(), LONGS);
  }

  @Test
  void layerDroppedInBetweenCostsLittle() throws FilterFormatException {
    ScalableCountingBloomFilter<Long> filter = filter();
    long second = 0;
    for (long i = 0; i < 12_000; i++) {
      filter.add(i);
      second = second == 0 && filter.layerCount() == 2 ? i : second;
    }
    assertEquals(4, filter.layerCount());
    ScalableCountingBloomFilter<Long> base = version(filter);
    for (long i = second; filter.layerCount() == 4; i++) {
      assertTrue(filter.remove(i));
    }
    assertTrue(filter.mightContain(0L));
    assertLeads(base, filter);
    assertLeads(filter, base);
    ScalableCountingBloomFilter<Long> dropped = version(filter);
    LongStream.range(20_000, 20_010).forEach(filter::add);
    assertLeads(dropped, filter);
    assertLeads(base, filter);
    int whole = filter.toBytes().length;
    int length = Delta.between(base, filter).toBytes().length;
    assertTrue(length < whole / 20, length + " bytes of " + whole);
  }

  @Test
  void versionBeforeALayerWasDroppedIsOlderAndOneAfterNewer() throws FilterFormatException {
    ScalableCountingBloomFilter<Long> filter = filter();
    LongStream.range(0, 12_000).forEach(filter::add);
    ScalableCountingBloomFilter<Long> oldest = version(filter);
    for (long i = 0; filter.layerCount() == 4; i++) {
      filter.remove(i);
    }
    ScalableCountingBloomFilter<Long> before = version(filter);
    LongStream.range(30_000, 30_100).forEach(filter::add);
    ScalableCountingBloomFilter<Long> after = version(filter);
    for (long i = 1000; filter.layerCount() == 3; i++) {
      filter.remove(i);
    }
    Delta delta = Delta.between(before, after);
    assertRefused("an older version", delta, oldest);
    assertRefused("a newer version", delta, filter);
    ScalableCountingBloomFilter<Long> another = filter();
    LongStream.range(100_000, 112_000).forEach(another::add);
    assertRefused("another filter", delta, another);
    assertRefused("of another size", delta, ScalableCountingBloomFilter.create(LONGS, 1001, 1e-6));
  }

  private static void assertRefused(
      String part, Delta delta, ScalableCountingBloomFilter<Long> base) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> delta.apply(base.contents())).toString();
    assertTrue(message.contains(part), message);
  }

  @Tag("deep")
  @Test
  void anyVersionLeadsToAnyOther() throws FilterFormatException {
    for (int seed = 0; seed < 8; seed++) {
      ScalableCountingBloomFilter.Builder<Long> builder =
          ScalableCountingBloomFilter.builder(LONGS)
              .expecting(10, 0.1)
              .growthFactor(seed % 2 == 0 ? 2 : 1);
      if (seed % 4 < 2) {
        builder.blocked();
      }
      ScalableCountingBloomFilter<Long> filter = builder.build();
      List<ScalableCountingBloomFilter<Long>> versions = new ArrayList<>();
      SplittableRandom random = new SplittableRandom(seed);
      Deque<Long> held = new ArrayDeque<>();
      int mostLayers = 0;
      for (int round = 0; round < 10; round++) {
        versions.add(version(filter));
        long additions = random.nextInt(200);
        for (long i = 0; i < additions; i++) {
          long element = random.nextLong();
          filter.add(element);
          held.add(element);
        }
        for (int removals = random.nextInt(180); removals > 0 && !held.isEmpty(); removals--) {
          long element = random.nextBoolean() ? held.removeFirst() : held.removeLast();
          assertTrue(filter.remove(element));
        }
        mostLayers = Math.max(mostLayers, filter.layerCount());
      }
      assertTrue(mostLayers > 2, filter::toString);
      for (ScalableCountingBloomFilter<Long> base : versions) {
        for (ScalableCountingBloomFilter<Long> changed : versions) {
          assertLeads(base, changed);
        }
      }
    }
  }

  @Test
  void filterOfOtherLayersIsRefused() {
    ScalableCountingBloomFilter<Long> other = ScalableCountingBloomFilter.create(LONGS, 1001, 1e-6);
    String message =
        assertThrows(IllegalArgumentException.class, () -> Delta.between(filter(), other))
            .toString();
    assertTrue(message.contains("two versions of one filter, but section 1 of base"), message);
  }
}
