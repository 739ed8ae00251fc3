package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.SectionRole;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Files assembled byte by byte: sound ones are read, contradictions are named. */
class ForgedFingerprintsTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final StrategyIdentity IDENTITY = StrategyIdentity.of(LONGS);

  private static FilterContents.Builder contents(long maxElements, long fingerprints) {
    return FilterContents.of(DynamicCuckooFilter.KIND.code(), IDENTITY, maxElements, fingerprints)
        .elementCount(OptionalLong.empty(), 0, Long.MAX_VALUE);
  }

  private static FilterContents.Builder holding(long... fingerprints) {
    return contents(10, 1000).section(SectionRole.FINGERPRINTS, fingerprints);
  }

  private static DynamicCuckooFilter<Long> read(FilterContents.Builder contents)
      throws FilterFormatException {
    return DynamicCuckooFilter.fromBytes(contents.build().toBytes(), LONGS);
  }

  private static void assertRefused(String fault, FilterContents.Builder contents) {
    assertRefused(fault, () -> read(contents));
  }

  private static void assertRefused(String fault, Executable call) {
    String message = String.valueOf(assertThrows(FilterFormatException.class, call).getMessage());
    assertTrue(message.contains(fault), message);
  }

  @Test
  void sizesAreThoseOfAFilter() throws FilterFormatException {
    assertEquals(
        new DynamicCuckooShape(1000, 1000),
        read(contents(1000, 1000).section(SectionRole.FINGERPRINTS)).shape());
    assertRefused("maxElements must be in [1, ", contents(0, 1000));
    assertRefused("fingerprints must be in [1000, ", contents(1000, 999));
    assertRefused("got 1152921504606846977", contents(1000, (1L << 60) + 1));
    assertRefused(
        "fingerprints must have fourteen significant bits at most, got 16385",
        contents(1000, 16_385));
  }

  @Test
  void fingerprintsAreThoseOfTheSize() throws FilterFormatException {
    assertEquals(3, read(holding(0, 5, 999)).distinctFingerprints());
    assertRefused("1000 is no fingerprint: there are 1000", holding(0, 1000));
  }

  @Test
  void extraCopiesAreOfFingerprintsThatAreHeld() throws FilterFormatException {
    DynamicCuckooFilter<Long> filter =
        read(
            holding(0, 5, 999)
                .section(SectionRole.EXTRA_COPIES)
                .section(SectionRole.EXTRA_COPIES, 5, 999));
    assertEquals(7, filter.elementCount().orElseThrow());
    assertRefused(
        "copies of fingerprint 6, which is not held",
        holding(0, 5, 999).section(SectionRole.EXTRA_COPIES, 5, 6));
    assertRefused(
        "1000 is no fingerprint: there are 1000",
        holding(0, 5, 999).section(SectionRole.EXTRA_COPIES, 1000));
    assertRefused(
        "the last one must have fingerprints but is empty",
        holding(0, 5, 999).section(SectionRole.EXTRA_COPIES, 5).section(SectionRole.EXTRA_COPIES));
  }

  @Test
  void copiesDoNotOverflow() throws FilterFormatException {
    FilterContents.Builder most = holding(5, 999);
    for (int bit = 0; bit < Long.SIZE - 3; bit++) {
      most.section(SectionRole.EXTRA_COPIES);
    }
    most.section(SectionRole.EXTRA_COPIES, 5);
    assertEquals((1L << 61) + 2, read(most).elementCount().orElseThrow());
    FilterContents.Builder two = holding(5, 999);
    FilterContents.Builder beyond = holding(5, 999);
    for (int bit = 0; bit < Long.SIZE - 3; bit++) {
      two.section(SectionRole.EXTRA_COPIES);
      beyond.section(SectionRole.EXTRA_COPIES);
    }
    assertRefused("more than 2^62 copies in all", two.section(SectionRole.EXTRA_COPIES, 5, 999));
    assertRefused(
        "more than 2^62 copies in all",
        beyond.section(SectionRole.EXTRA_COPIES).section(SectionRole.EXTRA_COPIES, 5));
  }

  @Test
  void elementCountIsThatOfTheCopies() throws FilterFormatException {
    FilterContents.Builder counted = holding(0, 5).section(SectionRole.EXTRA_COPIES, 5);
    for (long count : new long[] {2, 4}) {
      assertRefused(
          "its fill is that of 3 to 3 elements, but the element count is " + count,
          counted.elementCount(OptionalLong.of(count), 0, Long.MAX_VALUE));
    }
    counted.elementCount(OptionalLong.of(3), 0, Long.MAX_VALUE);
    assertEquals(3, read(counted).elementCount().orElseThrow());
  }

  @Test
  void planIsThatOfTheSize() throws FilterFormatException {
    FilterPlan plan = new FilterPlan(10, 0.01);
    assertEquals(Optional.of(plan), read(holding(0).plan(Optional.of(plan))).plan());
    assertRefused(
        "the plan must be for 10 elements, got 11",
        holding(0).plan(Optional.of(new FilterPlan(11, 0.01))));
  }

  @Test
  void filtersOfOtherStrategiesAndKindsAreRefused() {
    byte[] bytes = holding(0).build().toBytes();
    assertRefused(
        "strategy", () -> DynamicCuckooFilter.fromBytes(bytes, HashStrategies.seeded(LONGS, 1)));
    byte[] cuckoo = CuckooFilter.create(LONGS, 10, 0.01).toBytes();
    assertRefused(
        "this is a CuckooFilter and not a DynamicCuckooFilter",
        () -> DynamicCuckooFilter.fromBytes(cuckoo, LONGS));
  }
}
