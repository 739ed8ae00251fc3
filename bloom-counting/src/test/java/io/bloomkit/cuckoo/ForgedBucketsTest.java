package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.SectionRole;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Files assembled byte by byte: sound ones are read, contradictions are named. */
class ForgedBucketsTest {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();
  private static final StrategyIdentity IDENTITY = StrategyIdentity.of(LONGS);
  private static final OptionalLong UNKNOWN = OptionalLong.empty();
  private static final long[] NONE = {};

  private static void assertRefused(String fault, Executable call) {
    String message = String.valueOf(assertThrows(FilterFormatException.class, call).getMessage());
    assertTrue(message.contains(fault), message);
  }

  /** A filter of one bucket of four fingerprints of eight bits, whose keys they are. */
  private static CuckooFilter<Long> cuckoo(
      long capacity, OptionalLong count, long bucket, long[] stash, long... copies)
      throws FilterFormatException {
    return cuckoo(capacity, 1, count, bucket, stash, copies);
  }

  private static CuckooFilter<Long> cuckoo(
      long capacity, int buckets, OptionalLong count, long word, long[] stash, long... copies)
      throws FilterFormatException {
    return CuckooFilter.fromBytes(
        FilterContents.of(CuckooFilter.KIND.code(), IDENTITY, capacity, buckets, 8)
            .elementCount(count, 0, Long.MAX_VALUE)
            .section(SectionRole.BUCKETS, word)
            .section(SectionRole.STASH, stash)
            .section(SectionRole.COPIES, copies)
            .build()
            .toBytes(),
        LONGS);
  }

  @Test
  void cuckooFilterHoldsNoMoreThanFits() throws FilterFormatException {
    assertEquals(2, cuckoo(2, UNKNOWN, 0x0605, NONE).distinctFingerprints());
    assertRefused(
        "2 distinct fingerprints are held, more than fit", () -> cuckoo(1, UNKNOWN, 0x0605, NONE));
    assertRefused(
        "2 distinct fingerprints are held, more than fit",
        () -> cuckoo(1, UNKNOWN, 0x05, new long[] {6}));
    assertEquals(1, cuckoo(1, UNKNOWN, 0x0505, NONE).distinctFingerprints());
    assertRefused(
        "fingerprint 5 has 3 copies in its buckets", () -> cuckoo(4, UNKNOWN, 0x050505, NONE));
  }

  @Test
  void planOfACuckooFilterIsThatOfItsCapacity() throws FilterFormatException {
    FilterContents.Builder contents =
        FilterContents.of(CuckooFilter.KIND.code(), IDENTITY, 4, 1, 8)
            .elementCount(UNKNOWN, 0, Long.MAX_VALUE)
            .section(SectionRole.BUCKETS, 0x05)
            .section(SectionRole.STASH)
            .section(SectionRole.COPIES);
    FilterPlan plan = new FilterPlan(4, 0.5);
    byte[] bytes = contents.plan(Optional.of(plan)).build().toBytes();
    assertEquals(Optional.of(plan), CuckooFilter.fromBytes(bytes, LONGS).plan());
    byte[] forged = contents.plan(Optional.of(new FilterPlan(5, 0.5))).build().toBytes();
    assertRefused(
        "the plan must be for 4 elements, got 5", () -> CuckooFilter.fromBytes(forged, LONGS));
  }

  @Test
  void keysAreThoseOfFingerprintsAndAscend() throws FilterFormatException {
    assertEquals(2, cuckoo(4, UNKNOWN, 0, new long[] {1, 255}).stashed());
    for (long[] stash :
        new long[][] {{0}, {256}, {-1}, {5, 5}, {6, 5}, {1L << 32 | 5}, {1L << 63 | 5}}) {
      assertRefused("is not a key", () -> cuckoo(4, UNKNOWN, 0, stash));
    }
    FingerprintTable two = new FingerprintTable(2, 8);
    long split = 1;
    while (two.alternate(0, split) == 0) {
      split++;
    }
    assertEquals(1, cuckoo(4, 2, UNKNOWN, 0, new long[] {split}).stashed());
    long upper = 1L << 32 | split;
    assertRefused("is not a key", () -> cuckoo(4, 2, UNKNOWN, 0, new long[] {upper}));
  }

  @Test
  void stashedFingerprintsAreInNoBucket() {
    assertRefused(
        "fingerprint 5 stands in its buckets too",
        () -> cuckoo(4, UNKNOWN, 0x0605, new long[] {5}));
  }

  @Test
  void copiesAreOfFingerprintsThatAreHeldAndNotTooMany() throws FilterFormatException {
    assertRefused(
        "copies of fingerprint 7, which is not held",
        () -> cuckoo(4, UNKNOWN, 0x0605, new long[] {9}, 7, 1));
    CuckooFilter<Long> filter = cuckoo(4, OptionalLong.of(6), 0x0605, new long[] {9}, 5, 1, 9, 2);
    assertEquals(OptionalLong.of(6), filter.elementCount());
    for (long copies : new long[] {0, -1, Long.MIN_VALUE, (1L << 62) - 1, Long.MAX_VALUE}) {
      assertRefused(
          "the copies of fingerprint 5 cannot be " + copies,
          () -> cuckoo(4, UNKNOWN, 0x0605, NONE, 5, copies));
    }
    assertEquals(
        OptionalLong.of(1L << 62),
        cuckoo(4, UNKNOWN, 0x0605, NONE, 5, (1L << 62) - 2).elementCount());
    assertRefused("is not a key", () -> cuckoo(4, UNKNOWN, 0x0605, NONE, 5, 1, 5, 1));
  }

  @Test
  void aFilterOfTheMostCopiesTakesNoMore() throws FilterFormatException {
    CuckooFilter<Long> filter = cuckoo(4, UNKNOWN, 0x0605, NONE, 5, (1L << 62) - 2);
    String message = assertThrows(IllegalStateException.class, () -> filter.addHash(5)).toString();
    assertTrue(message.contains("cannot add: the filter would hold more than 2^62"), message);
    assertThrows(IllegalStateException.class, () -> filter.addHash(5, 1));
    assertThrows(IllegalStateException.class, () -> filter.addHash(5, Long.MAX_VALUE));
    assertEquals(filter, CuckooFilter.fromBytes(filter.toBytes(), LONGS));
  }

  /** Each fingerprint has but the one bucket, of 255 pairs. */
  @Test
  void stashCountsAsBucketsDo() throws FilterFormatException {
    CuckooFilter<Long> filter = cuckoo(4, OptionalLong.of(3), 0x0605, new long[] {9});
    assertEquals(3, filter.distinctFingerprints());
    assertEquals(3 / 255.0, filter.expectedFpp());
    for (long wrong : new long[] {2, 4}) {
      assertRefused(
          "its fill is that of 3 to 3 elements, but the element count is " + wrong,
          () -> cuckoo(4, OptionalLong.of(wrong), 0x0605, new long[] {9}));
    }
  }

  @Test
  void bytesAfterTheLastBucketAreZero() throws FilterFormatException {
    assertEquals(4, cuckoo(4, UNKNOWN, 0xff030201L, NONE).distinctFingerprints());
    for (int bit = 32; bit < 64; bit++) {
      long beyond = 1L << bit;
      assertRefused(
          "what follows the last of 1 buckets is not zero",
          () -> cuckoo(4, UNKNOWN, 0x05 | beyond, NONE));
    }
  }

  @Test
  void cuckooFilterIsReadFromAFile(@TempDir Path directory) throws IOException {
    CuckooFilter<Long> filter = CuckooFilter.create(LONGS, 10, 0.01);
    filter.add(1L);
    Path file = directory.resolve("cuckoo");
    filter.writeTo(file);
    assertArrayEquals(filter.toBytes(), CuckooFilter.readFrom(file, LONGS).toBytes());
  }
}
