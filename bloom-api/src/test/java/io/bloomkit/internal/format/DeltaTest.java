package io.bloomkit.internal.format;

import static io.bloomkit.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.Delta;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deltas between contents of no filter in particular. */
class DeltaTest {

  private static final int OTHER = 0x8002;

  private static long[] random(long seed, int count) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  @Test
  void sectionsChangeAndSideTablesGrowShrinkComeAndGo() throws FilterFormatException {
    for (int count : new int[] {1, 3, 100, 5000}) {
      FilterContents plain = DeltaSamples.of(random(1, count));
      FilterContents few = DeltaSamples.withOverflow(random(2, count), 1, 2);
      FilterContents many = DeltaSamples.withOverflow(random(1, count), random(3, 900));
      FilterContents[] versions = {plain, few, many, DeltaSamples.withOverflow(random(1, count))};
      for (FilterContents base : versions) {
        for (FilterContents changed : versions) {
          DeltaSamples.assertLeads(base, changed);
        }
      }
    }
  }

  /** Contents led by a table, with a section of words of each size, and a side table behind it. */
  private static FilterContents layers(long seed, int... sizes) {
    FilterContents.Builder contents =
        DeltaSamples.builder().section(SectionRole.TABLE, seed, sizes.length);
    for (int size : sizes) {
      contents.section(SectionRole.WORDS, random(seed + size, size));
      contents.section(SectionRole.OVERFLOW, random(seed - size, size % 3));
    }
    return contents.build();
  }

  @Test
  void layersThatATableLeadsComeAndGo() throws FilterFormatException {
    FilterContents[] versions = {
      layers(1, 10, 20, 40, 80),
      layers(2, 10, 40, 80),
      layers(3, 40, 80, 10),
      layers(4, 10),
      layers(5, 80, 10, 20),
      layers(6, 10, 30, 20, 10, 10)
    };
    for (FilterContents base : versions) {
      for (FilterContents changed : versions) {
        DeltaSamples.assertLeads(base, changed);
      }
    }
    FilterContents base = layers(1, 10, 20, 40, 80);
    // Nothing changes in the layers that stay, so next to nothing is in the delta.
    assertEquals(
        0, DeltaSamples.codeWordCount(ContentsDelta.between(base, layers(1, 10, 20, 40, 80))));
    assertEquals(
        1,
        DeltaSamples.codeWordCount(
            ContentsDelta.between(base, layers(1, 10, 40, 80)))); // of the table
    assertEquals(1, DeltaSamples.codeWordCount(ContentsDelta.between(base, layers(1, 80))));
    assertRefused(
        () -> ContentsDelta.between(base, layers(1, 30, 5)), "of one size, but base has ");
    FilterContents bare =
        DeltaSamples.builder()
            .section(SectionRole.WORDS, 1)
            .section(SectionRole.WORDS, 1, 2)
            .build();
    FilterContents other =
        DeltaSamples.builder()
            .section(SectionRole.WORDS, 1)
            .section(SectionRole.WORDS, 1, 2, 3)
            .build();
    assertRefused(() -> ContentsDelta.between(bare, other), "base has 24 bytes and changed 32;");
  }

  @Test
  void fieldsAndElementCountAreThoseOfTheChangedVersion() throws FilterFormatException {
    FilterContents base = DeltaSamples.of(1, 2, 3);
    FilterContents changed =
        FilterContents.of(
                DeltaSamples.MINE, DeltaSamples.STRATEGY, random(5, FilterHeader.MAX_FIELDS))
            .elementCount(OptionalLong.of(Long.MAX_VALUE), 0, Long.MAX_VALUE)
            .section(SectionRole.WORDS, 1, 2, 7)
            .build();
    DeltaSamples.assertLeads(base, changed);
    DeltaSamples.assertLeads(changed, base);
    FilterContents empty =
        FilterContents.of(DeltaSamples.MINE, DeltaSamples.STRATEGY)
            .elementCount(OptionalLong.of(0), 0, 1)
            .build();
    DeltaSamples.assertLeads(empty, empty);
  }

  @Test
  void deltasAreWrittenAndReadByStreamAndFile(@TempDir Path directory) throws IOException {
    Stored base = new Stored(DeltaSamples.of(random(1, 50)));
    Stored changed = new Stored(DeltaSamples.of(random(2, 50)));
    Delta delta = Delta.between(base, changed);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    delta.writeTo(out);
    assertArrayEquals(delta.toBytes(), out.toByteArray());
    delta.writeTo(out);
    ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
    for (int i = 0; i < 2; i++) {
      assertArrayEquals(
          changed.toBytes(), Delta.readFrom(in).apply(base, Stored::fromBytes).toBytes());
    }
    Path file = directory.resolve("delta");
    delta.writeTo(file);
    assertArrayEquals(delta.toBytes(), Files.readAllBytes(file));
    assertArrayEquals(
        changed.toBytes(), Delta.readFrom(file).apply(base, Stored::fromBytes).toBytes());
    assertTrue(Delta.fromBytes(delta.toBytes()).toString().startsWith("Delta[variant 32769, from"));
    assertRefused(
        FilterFormatException.class,
        () -> Delta.fromBytes(Arrays.copyOf(out.toByteArray(), out.size() - 1)),
        "more bytes follow");
  }

  /** The least that has files. */
  private record Stored(FilterContents contents)
      implements StorableFilter<Long>, FilterContents.Source {

    static Stored fromBytes(byte[] bytes) {
      return new Stored(DeltaSamples.parts(bytes));
    }

    @Override
    public boolean mightContainHash(long hash) {
      return false;
    }

    @Override
    public double expectedFpp() {
      return 0;
    }

    @Override
    public long approximateElementCount() {
      return 0;
    }

    @Override
    public long memoryBytes() {
      return 0;
    }

    @Override
    public HashStrategy<Long> strategy() {
      return HashStrategies.longs();
    }
  }

  @Test
  void filtersAreWrittenAndLeadOn(@TempDir Path directory) throws IOException {
    Stored base = new Stored(DeltaSamples.of(1, 2, 3));
    Stored changed = new Stored(DeltaSamples.of(1, 6, 3));
    Delta delta = Delta.between(base, changed);
    assertEquals(Delta.fingerprintOf(base), delta.baseFingerprint());
    assertEquals(Delta.fingerprintOf(changed), delta.resultFingerprint());
    Stored result = delta.apply(base, Stored::fromBytes);
    assertArrayEquals(changed.toBytes(), result.toBytes());
    assertArrayEquals(changed.contents().toBytes(), changed.toBytes());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    changed.writeTo(out);
    assertArrayEquals(changed.toBytes(), out.toByteArray());
    Path file = directory.resolve("filter");
    changed.writeTo(file);
    assertArrayEquals(changed.toBytes(), Files.readAllBytes(file));
  }

  @Test
  void textSaysWhichFilterFromWhereToWhere() {
    ContentsDelta delta = ContentsDelta.between(DeltaSamples.of(1), DeltaSamples.of(2));
    assertEquals(
        String.format(
            "Delta[variant 32769, from=%016x, to=%016x, strategy=mine/1]",
            DeltaSamples.of(1).fingerprint(), DeltaSamples.of(2).fingerprint()),
        delta.toString());
  }

  @Test
  void versionsOfDifferentFiltersAreRefused() {
    FilterContents base = DeltaSamples.withOverflow(new long[3], 1, 2);
    String kind = "two versions of one filter, but base is a variant 32769 of strategy mine/1#4d";
    FilterContents cuckoo = FilterContents.of(OTHER, DeltaSamples.STRATEGY, 42).build();
    assertRefused(() -> ContentsDelta.between(base, cuckoo), kind, "changed a variant 32770");
    FilterContents secret =
        FilterContents.of(DeltaSamples.MINE, new StrategyIdentity("mine/1", 78), 42).build();
    assertRefused(() -> ContentsDelta.between(base, secret), kind, "mine/1#4e");
    FilterContents delta =
        DeltaSamples.parts(ContentsDelta.between(base, base).contents().toBytes());
    assertRefused(() -> ContentsDelta.between(delta, delta), "base is a Delta");
    assertRefused(
        () -> ContentsDelta.between(base, DeltaSamples.of(1, 2)),
        "base has 40 bytes and changed 16;");
    FilterContents other =
        DeltaSamples.builder()
            .section(SectionRole.WORDS, 1, 2, 3)
            .section(SectionRole.STASH, 1, 2)
            .build();
    assertRefused(() -> ContentsDelta.between(base, other), "base has 40 bytes and changed 40;");
  }

  /** Sixteen times the words of base and code, and 64 KiB. */
  @Test
  void versionThatIsMuchLargerIsToBeSentAsAWhole() throws FilterFormatException {
    FilterContents base = DeltaSamples.withOverflow(new long[10]);
    int max = 16 * 10 + (64 << 10) / Long.BYTES - 10;
    DeltaSamples.assertLeads(base, DeltaSamples.withOverflow(new long[10], new long[max]));
    assertRefused(
        () ->
            ContentsDelta.between(base, DeltaSamples.withOverflow(new long[10], new long[max + 1])),
        "the changed filter has " + 8 * (max + 11) + " bytes, more than 16 times");
    // A word of code is worth sixteen more.
    long[] overflow = new long[max + 16];
    overflow[0] = 1;
    DeltaSamples.assertLeads(base, DeltaSamples.withOverflow(new long[10], overflow));
    assertRefused(
        () ->
            ContentsDelta.between(
                base, DeltaSamples.withOverflow(new long[10], Arrays.copyOf(overflow, max + 17))),
        "send it as a whole");
  }

  @Test
  void otherFilterIsRefused() {
    ContentsDelta delta = ContentsDelta.between(DeltaSamples.of(1, 2, 3), DeltaSamples.of(1, 2, 4));
    String start = "the delta leads a variant 32769 of strategy mine/1#4d from version ";
    assertRefused(
        () -> delta.apply(FilterContents.of(OTHER, DeltaSamples.STRATEGY, 42).build()),
        start + String.format("%016x", DeltaSamples.of(1, 2, 3).fingerprint()),
        String.format(
            " to %016x, but base is another filter, a variant 32770", delta.resultFingerprint()));
    assertRefused(
        () ->
            delta.apply(
                FilterContents.of(DeltaSamples.MINE, new StrategyIdentity("mine/2", 77), 42)
                    .build()),
        start,
        "base is another filter, a variant 32769 of strategy mine/2#4d");
    assertRefused(() -> delta.apply(DeltaSamples.of(1, 2)), "another filter, of another size");
    assertRefused(
        () -> delta.apply(DeltaSamples.builder().section(SectionRole.BUCKETS, 1, 2, 3).build()),
        "another filter, of another size");
    assertRefused(
        () -> delta.apply(DeltaSamples.of(9, 9, 9)),
        ", another version or another filter: apply any deltas in between first, or fetch the whole"
            + " filter");
    assertRefused(() -> delta.apply(DeltaSamples.of(1, 2, 4)), "the delta was applied before");
  }

  /** A version with bit 0 of each word set where a function of its index says so, and a mark. */
  private static FilterContents version(int words, long mark, IntPredicate isSet) {
    long[] array = new long[words + 1];
    for (int i = 0; i < words; i++) {
      array[i] = isSet.test(i) ? 1 : 0;
    }
    array[words] = mark;
    return DeltaSamples.of(array);
  }

  private static long[] ones(int words) {
    long[] ones = new long[words];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static String refusal(ContentsDelta delta, FilterContents base) {
    try {
      delta.apply(base);
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("applied");
  }

  /**
   * Asserts the words of a refusal.
   *
   * @param kind the words, with {@code bits} in place of the number of bits that agree
   */
  private static void assertPlaced(String kind, String bits, String message) {
    assertTrue(
        message.endsWith(", " + kind.replace("bits", bits + " changed bits agree")), message);
  }

  @Test
  void anotherVersionIsPlacedByTheBitsThatChange() {
    String older =
        "probably an older version (bits): apply the deltas in between first, or fetch the whole"
            + " filter";
    String newer =
        "probably a newer version (bits): then this delta came too late, leave it out; if it is a"
            + " copy of another filter, merge the filters instead";
    String other = "another filter (bits): fetch the whole filter";
    String unclear =
        "another version or another filter: apply any deltas in between first, or fetch the whole"
            + " filter";
    ContentsDelta of64 =
        ContentsDelta.between(version(64, 0, i -> i % 3 == 0), version(64, 0, i -> i % 3 != 0));
    for (int different = 0; different <= 64; different++) {
      int from = different;
      FilterContents third = version(64, 1, i -> i % 3 == 0 ^ i < from);
      String kind = different <= 8 ? older : different >= 56 ? newer : other;
      String some = (different == 64 ? "none" : 64 - different) + " of 64";
      assertPlaced(kind, different == 0 ? "all 64" : some, refusal(of64, third));
    }
    ContentsDelta of16 =
        ContentsDelta.between(version(16, 0, i -> false), version(16, 0, i -> true));
    assertPlaced(older, "14 of 16", refusal(of16, version(16, 1, i -> i > 13)));
    assertPlaced(other, "13 of 16", refusal(of16, version(16, 1, i -> i > 12)));
    assertPlaced(newer, "2 of 16", refusal(of16, version(16, 1, i -> i > 1)));
    ContentsDelta of15 =
        ContentsDelta.between(version(15, 0, i -> false), version(15, 0, i -> true));
    assertPlaced(unclear, "", refusal(of15, version(15, 1, i -> false)));
    // Of 128 changes every second is looked at, from the first one on.
    ContentsDelta of128 =
        ContentsDelta.between(version(128, 0, i -> false), version(128, 0, i -> true));
    assertPlaced(older, "all 64", refusal(of128, version(128, 1, i -> i % 2 == 1)));
    assertPlaced(newer, "none of 64", refusal(of128, version(128, 1, i -> i % 2 == 0)));
    // The samples go on in the next section; what the version does not have is zero.
    FilterContents base = DeltaSamples.withOverflow(new long[8]);
    ContentsDelta over = ContentsDelta.between(base, DeltaSamples.withOverflow(ones(8), ones(8)));
    assertPlaced(
        older, "all 16", refusal(over, DeltaSamples.withOverflow(new long[8], new long[9])));
    assertPlaced(other, "8 of 16", refusal(over, DeltaSamples.withOverflow(new long[8], ones(8))));
    assertPlaced(older, "all 16", refusal(over, DeltaSamples.of(new long[8])));
    // A section that is inverted has none.
    ContentsDelta inverted =
        ContentsDelta.between(
            DeltaSamples.withOverflow(new long[16], 0), DeltaSamples.withOverflow(ones(16), -2));
    assertPlaced(older, "all 16", refusal(inverted, DeltaSamples.withOverflow(new long[16], 5)));
    ContentsDelta nothingElse = ContentsDelta.between(DeltaSamples.of(0), DeltaSamples.of(-2));
    assertPlaced(unclear, "", refusal(nothingElse, DeltaSamples.of(5)));
  }
}
