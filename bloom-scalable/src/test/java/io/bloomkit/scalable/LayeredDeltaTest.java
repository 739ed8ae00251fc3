package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.Delta;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Deltas between versions of filters that grow. */
class LayeredDeltaTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static ScalableBloomFilter<Long> filter() {
    return ScalableBloomFilter.create(LONGS, 1000, 0.01);
  }

  private static void assertLeads(ScalableBloomFilter<Long> base, ScalableBloomFilter<Long> changed)
      throws FilterFormatException {
    Delta delta = Delta.fromBytes(Delta.between(base, changed).toBytes());
    ScalableBloomFilter<Long> result =
        delta.apply(base, bytes -> ScalableBloomFilter.fromBytes(bytes, LONGS));
    assertArrayEquals(changed.toBytes(), result.toBytes());
  }

  @Test
  void fewInsertionsCostLittle() throws FilterFormatException {
    ScalableBloomFilter<Long> filter = filter();
    LongStream.range(0, 12_000).forEach(filter::add);
    assertEquals(4, filter.layerCount());
    ScalableBloomFilter<Long> base = filter.copy();
    LongStream.range(20_000, 20_010).forEach(filter::add);
    assertLeads(base, filter);
    assertLeads(filter, base);
    int whole = filter.toBytes().length;
    int length = Delta.between(base, filter).toBytes().length;
    assertTrue(length < whole / 20, length + " bytes of " + whole);
  }

  @Test
  void versionsThatAreNotTheBaseAreRefused() {
    ScalableBloomFilter<Long> filter = filter();
    LongStream.range(0, 2000).forEach(filter::add);
    ScalableBloomFilter<Long> oldest = filter.copy();
    LongStream.range(2000, 6000).forEach(filter::add);
    ScalableBloomFilter<Long> before = filter.copy();
    LongStream.range(6000, 6100).forEach(filter::add);
    ScalableBloomFilter<Long> after = filter.copy();
    LongStream.range(6100, 9000).forEach(filter::add);
    Delta delta = Delta.between(before, after);
    assertRefused("an older version", delta, oldest);
    assertRefused("a newer version", delta, filter);
    ScalableBloomFilter<Long> another = filter();
    LongStream.range(100_000, 106_000).forEach(another::add);
    assertRefused("another filter", delta, another);
    assertRefused("of another size", delta, ScalableBloomFilter.create(LONGS, 2000, 0.01));
  }

  private static void assertRefused(String part, Delta delta, ScalableBloomFilter<Long> base) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> delta.apply(base, bytes -> base))
            .toString();
    assertTrue(message.contains(part), message);
  }

  @Tag("deep")
  @Test
  void anyVersionLeadsToAnyOther() throws FilterFormatException {
    for (int seed = 0; seed < 4; seed++) {
      ScalableBloomFilter.Builder<Long> builder =
          ScalableBloomFilter.builder(LONGS)
              .expecting(10, 0.1)
              .growthFactor(seed % 2 == 0 ? 2 : 1.2);
      ScalableBloomFilter<Long> filter = builder.build();
      List<ScalableBloomFilter<Long>> versions = new ArrayList<>();
      SplittableRandom random = new SplittableRandom(seed);
      for (int round = 0; round < 10; round++) {
        versions.add(filter.copy());
        random.longs(random.nextInt(200)).forEach(filter::add);
      }
      assertTrue(filter.layerCount() > 2, filter::toString);
      for (ScalableBloomFilter<Long> base : versions) {
        for (ScalableBloomFilter<Long> changed : versions) {
          assertLeads(base, changed);
        }
      }
    }
  }

  @Test
  void filterOfOtherLayersIsRefused() {
    ScalableBloomFilter<Long> other = ScalableBloomFilter.create(LONGS, 2000, 0.01);
    String message =
        assertThrows(IllegalArgumentException.class, () -> Delta.between(filter(), other))
            .toString();
    assertTrue(message.contains("of one size, but base has "), message);
  }
}
