package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.format.Delta;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.format.ContentsDelta;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deltas between filters of bits: where they lead, and what they refuse. */
class DeltaTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  @TempDir private Path directory;

  /** A filter of the elements of a range, planned for 10,000 at 1 %. */
  private static ClassicBloomFilter<Long> of(long from, long to) {
    ClassicBloomFilter<Long> filter = ClassicBloomFilter.create(LONGS, 10_000, 0.01);
    LongStream.range(from, to).forEach(filter::add);
    return filter;
  }

  private static ClassicBloomFilter<Long> apply(Delta delta, ClassicBloomFilter<Long> base)
      throws FilterFormatException {
    return delta.apply(base, bytes -> ClassicBloomFilter.fromBytes(bytes, LONGS));
  }

  private static String refusal(Delta delta, StorableFilter<?> base) {
    byte[] before = base.toBytes();
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                        delta.apply(
                            base, bytes -> ClassicBloomFilter.<Long>fromBytes(bytes, LONGS)))
                .getMessage());
    assertArrayEquals(before, base.toBytes(), "a refusal changed the base");
    return message;
  }

  private static void assertContains(String part, String message) {
    assertTrue(message.contains(part), message);
  }

  @Test
  void deltaLeadsFromAnyVersionToAnyOther() throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 30; i++) {
      long from = random.nextInt(1 << random.nextInt(15));
      ClassicBloomFilter<Long> base = of(from, from + random.nextInt(1 << random.nextInt(15)));
      ClassicBloomFilter<Long> next = of(0, random.nextInt(1 << random.nextInt(15)));
      byte[] before = base.toBytes();
      Delta delta = Delta.fromBytes(Delta.between(base, next).toBytes());
      ClassicBloomFilter<Long> result = apply(delta, base);
      assertEquals(next, result);
      assertEquals(next.elementCount(), result.elementCount());
      assertArrayEquals(before, base.toBytes());
      assertEquals(base.contents().fingerprint(), delta.baseFingerprint());
      assertEquals(next.contents().fingerprint(), delta.resultFingerprint());
    }
  }

  /** From nothing to any fill and back, and from full filters to others. */
  @Test
  void deltaIsNoLongerThanTheFilterButForItsHead() {
    ClassicBloomFilter<Long> empty = of(0, 0);
    ClassicBloomFilter<Long> filter = of(0, 0);
    for (int elements = 0; elements <= 60_000; elements += 500) {
      LongStream.range(elements - 500, elements).forEach(filter::add);
      assertNoLonger(empty, filter);
      assertNoLonger(filter, empty);
    }
    assertNoLonger(of(20_000, 30_000), of(0, 10_000));
    ClassicBloomFilter<Long> million = ClassicBloomFilter.create(LONGS, 1_000_000, 0.01);
    LongStream.range(0, 640_000).forEach(million::add);
    assertNoLonger(ClassicBloomFilter.create(LONGS, 1_000_000, 0.01), million);
  }

  private static void assertNoLonger(ClassicBloomFilter<Long> base, ClassicBloomFilter<Long> next) {
    int delta = Delta.between(base, next).toBytes().length;
    int uncoded = next.contents().uncoded().toBytes().length;
    assertTrue(delta <= uncoded + 200, () -> delta + " for " + uncoded + ", to " + next);
  }

  @Test
  void deltasLeadOnFromEachOtherInOrder() throws FilterFormatException {
    ClassicBloomFilter<Long> copy = of(0, 9000);
    for (long day = 1; day <= 10; day++) {
      Delta delta =
          Delta.between(
              of(100 * (day - 1), 9000 + 100 * (day - 1)), of(100 * day, 9000 + 100 * day));
      copy = apply(delta, copy);
    }
    assertEquals(of(1000, 10_000), copy);
  }

  @Test
  void missingDeltaIsNoticedAsAnOlderBase() {
    assertContains(
        "an older version", refusal(Delta.between(of(0, 9100), of(0, 9200)), of(0, 9000)));
    assertContains(
        "an older version", refusal(Delta.between(of(100, 9100), of(200, 9200)), of(0, 9000)));
  }

  /** Of many versions before 30 % of the elements were exchanged, some. */
  @Test
  void olderBaseThatDiffersMuchMayBeCalledAnotherFilterButIsRefused() {
    int others = 0;
    for (long from = 0; from < 2_000_000; from += 50_000) {
      Delta delta = Delta.between(of(from + 3000, from + 13_000), of(from + 6000, from + 16_000));
      others += refusal(delta, of(from, from + 10_000)).contains("another filter") ? 1 : 0;
    }
    assertTrue(others > 0 && others < 20, others + " of 40");
  }

  @Test
  void lateDeltaIsNoticedAsANewerBase() {
    assertContains(
        "a newer version", refusal(Delta.between(of(0, 9000), of(0, 9100)), of(0, 9200)));
    assertContains(
        "a newer version", refusal(Delta.between(of(0, 9000), of(100, 9100)), of(200, 9200)));
  }

  @Test
  void otherFilterIsToldFromAnOtherVersion() {
    Delta delta = Delta.between(of(0, 9000), of(0, 9100));
    assertContains(", another filter (", refusal(delta, of(50_000, 60_000)));
    ClassicBloomFilter<Long> otherSize = ClassicBloomFilter.create(LONGS, 9000, 0.01);
    assertContains("of another size", refusal(delta, otherSize));
    assertContains("BlockedBloomFilter", refusal(delta, BlockedBloomFilter.create(LONGS, 1, 0.1)));
    LongHashStrategy seeded = HashStrategies.seeded(LONGS, 1);
    ClassicBloomFilter<Long> otherStrategy = ClassicBloomFilter.create(seeded, 10_000, 0.01);
    assertContains(seeded.id(), refusal(delta, otherStrategy));
  }

  @Test
  void deltaWithoutChangesLeadsToTheSame() throws FilterFormatException {
    ClassicBloomFilter<Long> base = of(0, 10);
    Delta delta = Delta.between(base, of(0, 10));
    assertEquals(base, apply(delta, apply(delta, base)));
    ClassicBloomFilter<Long> twice = of(0, 10);
    twice.add(3L);
    assertEquals(OptionalLong.of(11), apply(Delta.between(base, twice), base).elementCount());
  }

  @Test
  void otherNumberOfHashesIsAnotherVersion() throws FilterFormatException {
    ClassicBloomFilter<Long> base =
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(1000, 3)).build();
    ClassicBloomFilter<Long> other =
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(1000, 4)).build();
    assertNotEquals(base.contents().fingerprint(), other.contents().fingerprint());
    refusal(Delta.between(base, base), other);
  }

  @Test
  void toolsApplyDeltasToFilesOfAnyKind() throws Exception {
    Path file = directory.resolve("base");
    of(0, 1000).writeTo(file);
    FilterContents base = FilterReader.readFrom(file, FilterContents::read);
    assertArrayEquals(of(0, 1000).toBytes(), base.toBytes());
    ContentsDelta delta = ContentsDelta.between(base, of(0, 1100).contents());
    delta.apply(base).writeTo(file);
    assertEquals(of(0, 1100), ClassicBloomFilter.readFrom(file, LONGS));
  }

  @Test
  void concurrentFilterTakesADelta() throws FilterFormatException {
    ClassicBloomFilter<Long> base = of(0, 1000);
    Delta delta = Delta.between(base, of(0, 1001));
    ClassicBloomFilter<Long> shared =
        delta.apply(base, ClassicBloomFilter.builder(LONGS).concurrent()::fromBytes);
    shared.add(1001L);
    assertEquals(of(0, 1002), shared);
  }
}
