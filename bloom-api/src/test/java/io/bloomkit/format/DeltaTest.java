package io.bloomkit.format;

import static io.bloomkit.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Words;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deltas between contents of no filter in particular. */
class DeltaTest {

  private static final FilterVariant MINE = new FilterVariant(0x8001, "MyFilter");

  private static final FilterVariant OTHER = new FilterVariant(0x8002, "OtherFilter");
  private static final StrategyIdentity STRATEGY = new StrategyIdentity("mine/1", 77);
  private static final int ROW = 2; // after the number of fields and one field

  private static final int ROLE = 0;
  private static final int WORDS = 1;
  private static final int CHANGES = 2;
  private static final int CODE_WORDS = 3;

  private static FilterContents.Builder builder() {
    return FilterContents.of(MINE, STRATEGY, 42);
  }

  private static FilterContents of(long... words) {
    return builder().section(SectionRole.WORDS, words).build();
  }

  private static FilterContents withExcess(long[] words, long... excess) {
    return builder().section(SectionRole.WORDS, words).section(SectionRole.EXCESS, excess).build();
  }

  private static long[] random(long seed, int count) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  private static FilterContents parts(byte[] bytes) {
    try {
      return FilterReader.fromBytes(bytes, FilterContents::read);
    } catch (FilterFormatException e) {
      throw new AssertionError(e);
    }
  }

  private static long[] wordsOf(FilterContents contents, int section) {
    Words words = contents.sections().get(section).words();
    long[] array = new long[(int) words.size()];
    Arrays.setAll(array, words::get);
    return array;
  }

  private static void assertLeads(FilterContents base, FilterContents changed)
      throws FilterFormatException {
    Delta delta = Delta.between(base, changed);
    byte[] bytes = delta.toBytes();
    Delta read = Delta.fromBytes(bytes);
    assertArrayEquals(bytes, read.toBytes());
    for (Delta each : new Delta[] {delta, read}) {
      assertArrayEquals(changed.toBytes(), each.apply(base).toBytes());
      assertEquals(base.fingerprint(), each.baseFingerprint());
      assertEquals(changed.fingerprint(), each.resultFingerprint());
    }
  }

  @Test
  void sectionsChangeAndSideTablesGrowShrinkComeAndGo() throws FilterFormatException {
    for (int count : new int[] {1, 3, 100, 5000}) {
      FilterContents plain = of(random(1, count));
      FilterContents few = withExcess(random(2, count), 1, 2);
      FilterContents many = withExcess(random(1, count), random(3, 900));
      FilterContents[] versions = {plain, few, many, withExcess(random(1, count))};
      for (FilterContents base : versions) {
        for (FilterContents changed : versions) {
          assertLeads(base, changed);
        }
      }
    }
  }

  /** Words in which so many bits are set, each set of places as likely as any other. */
  private static long[] withSetBits(int words, int setBits, SplittableRandom random) {
    long[] array = new long[words];
    int bits = Long.SIZE * words;
    int left = setBits;
    for (int i = 0; i < bits; i++) {
      if (random.nextInt(bits - i) < left) {
        array[i / Long.SIZE] |= 1L << i;
        left--;
      }
    }
    return array;
  }

  /** Returns how many words the code of a delta takes that leads where it should. */
  private static int codeWords(long[] before, long... changes) throws FilterFormatException {
    long[] after = before.clone();
    Arrays.setAll(after, i -> before[i] ^ changes[i]);
    assertLeads(of(before), of(after));
    return codeWords(Delta.between(of(before), of(after)));
  }

  private static int codeWords(Delta delta) {
    return wordsOf(parts(delta.toBytes()), 1).length;
  }

  /** N · H(c / N): what no code goes below on average if any c of N bits may change. */
  private static double entropy(double changed, double all) {
    double share = changed / all;
    return share == 0 || share == 1
        ? 0
        : -all * (share * Math.log(share) + (1 - share) * Math.log1p(-share)) / Math.log(2);
  }

  /** Hundredths of all bits, at random places: less than a word is lost by whole words. */
  @Test
  void codeOfAnyShareOfChangesIsNearTheEntropyAndNoLongerThanTheFilter()
      throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(6);
    int words = 2000;
    int bits = Long.SIZE * words;
    long[] before = random.longs(words).toArray();
    for (int percent = 0; percent <= 100; percent++) {
      int changed = (int) ((long) bits * percent / 100);
      int code = codeWords(before, withSetBits(words, changed, random));
      double mostOverhead = percent >= 20 && percent <= 80 ? 1.05 : 1.03;
      double most = Math.min(bits, mostOverhead * entropy(changed, bits) + Long.SIZE - 1);
      assertTrue((long) Long.SIZE * code <= most, percent + " %: " + code + " words, " + most);
    }
  }

  @Test
  void codeOfFewChangesAndOfAllButFewIsNearTheEntropyOnAverage() throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(7);
    int words = 50;
    int bits = Long.SIZE * words;
    for (int few = 1; few <= 100; few = few * 3 / 2 + 1) {
      for (int changed : new int[] {few, bits - few}) {
        double codeBits = 0;
        int times = 100;
        for (int i = 0; i < times; i++) {
          codeBits += codeWords(new long[words], withSetBits(words, changed, random));
        }
        codeBits *= (double) Long.SIZE / times;
        double most = 1.03 * entropy(changed, bits) + Long.SIZE - 1;
        assertTrue(codeBits <= most, changed + ": " + codeBits + " bits, " + most);
      }
    }
  }

  /** Of words that have a pattern, too: any unit, some of its bits, in any share of places. */
  @Test
  void codeOfNoPatternIsLongerThanTheFilter() throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(8);
    int words = 100;
    for (int i = 0; i < 1000; i++) {
      int unit = 1 << random.nextInt(7);
      long mask = random.nextLong() >>> (Long.SIZE - unit);
      int rarity = 1 + random.nextInt(5);
      boolean fixed = random.nextBoolean();
      long background = random.nextInt(3) == 0 ? -1 : 0;
      long[] changes = new long[words];
      Arrays.fill(changes, background);
      for (int place = 0; place < Long.SIZE * words; place += unit) {
        if (random.nextInt(rarity) == 0) {
          long bits = fixed ? mask : random.nextLong() & mask;
          changes[place / Long.SIZE] ^= bits << place;
        }
      }
      int code = codeWords(new long[words], changes);
      assertTrue(code <= words, () -> code + " words for " + Arrays.toString(changes));
    }
  }

  /** Contents led by a table, with a section of words of each size, and a side table behind it. */
  private static FilterContents layers(long seed, int... sizes) {
    FilterContents.Builder contents = builder().section(SectionRole.TABLE, seed, sizes.length);
    for (int size : sizes) {
      contents.section(SectionRole.WORDS, random(seed + size, size));
      contents.section(SectionRole.EXCESS, random(seed - size, size % 3));
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
        assertLeads(base, changed);
      }
    }
    FilterContents base = layers(1, 10, 20, 40, 80);
    // Nothing changes in the layers that stay, so next to nothing is in the delta.
    assertEquals(0, codeWords(Delta.between(base, layers(1, 10, 20, 40, 80))));
    assertEquals(1, codeWords(Delta.between(base, layers(1, 10, 40, 80)))); // of the table
    assertEquals(1, codeWords(Delta.between(base, layers(1, 80))));
    assertRefused(
        () -> Delta.between(base, layers(1, 30, 5)),
        "section 1 of base is WORDS of 10 words and that of changed WORDS of 30");
    FilterContents bare =
        builder().section(SectionRole.WORDS, 1).section(SectionRole.WORDS, 1, 2).build();
    FilterContents other =
        builder().section(SectionRole.WORDS, 1).section(SectionRole.WORDS, 1, 2, 3).build();
    assertRefused(() -> Delta.between(bare, other), "section 1 of base is WORDS of 2 words");
  }

  @Test
  void fieldsAndElementCountAreThoseOfTheChangedVersion() throws FilterFormatException {
    FilterContents base = of(1, 2, 3);
    FilterContents changed =
        FilterContents.of(MINE, STRATEGY, random(5, FilterHeader.MAX_FIELDS))
            .elementCount(OptionalLong.of(Long.MAX_VALUE), 0, Long.MAX_VALUE)
            .section(SectionRole.WORDS, 1, 2, 7)
            .build();
    assertLeads(base, changed);
    assertLeads(changed, base);
    FilterContents empty =
        FilterContents.of(MINE, STRATEGY).elementCount(OptionalLong.of(0), 0, 1).build();
    assertLeads(empty, empty);
  }

  @Test
  void deltasAreWrittenAndReadByStreamAndFile(@TempDir Path directory) throws IOException {
    FilterContents base = of(random(1, 50));
    FilterContents changed = of(random(2, 50));
    Delta delta = Delta.between(base, changed);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    delta.writeTo(out);
    assertArrayEquals(delta.toBytes(), out.toByteArray());
    delta.writeTo(out);
    ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
    for (int i = 0; i < 2; i++) {
      assertArrayEquals(changed.toBytes(), Delta.readFrom(in).apply(base).toBytes());
    }
    Path file = directory.resolve("delta");
    delta.writeTo(file);
    assertArrayEquals(delta.toBytes(), Files.readAllBytes(file));
    assertArrayEquals(changed.toBytes(), Delta.readFrom(file).apply(base).toBytes());
    assertRefused(
        FilterFormatException.class,
        () -> Delta.fromBytes(Arrays.copyOf(out.toByteArray(), out.size() - 1)),
        "more bytes follow");
  }

  /** The least that has files. */
  private record Stored(FilterContents contents) implements StorableFilter<Long> {

    @Override
    public boolean mightContain(Long element) {
      return false;
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
    Stored base = new Stored(of(1, 2, 3));
    Stored changed = new Stored(of(1, 6, 3));
    Delta delta = Delta.between(base, changed);
    Stored result = delta.apply(base, bytes -> new Stored(parts(bytes)));
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
    Delta delta = Delta.between(of(1), of(2));
    assertEquals(
        String.format(
            "Delta[MyFilter, from=%016x, to=%016x, strategy=mine/1]",
            of(1).fingerprint(), of(2).fingerprint()),
        delta.toString());
  }

  @Test
  void whatAreNotTwoVersionsOfOneFilterIsRefused() {
    FilterContents base = withExcess(new long[3], 1, 2);
    String kind = "two versions of one filter, but base is a MyFilter of strategy mine/1#4d";
    FilterContents cuckoo = FilterContents.of(OTHER, STRATEGY, 42).build();
    assertRefused(() -> Delta.between(base, cuckoo), kind, "changed a OtherFilter");
    FilterContents secret = FilterContents.of(MINE, new StrategyIdentity("mine/1", 78), 42).build();
    assertRefused(() -> Delta.between(base, secret), kind, "mine/1#4e");
    FilterContents delta = parts(Delta.between(base, base).toBytes());
    assertRefused(() -> Delta.between(delta, delta), "base is a Delta");
    assertRefused(
        () -> Delta.between(base, of(1, 2)),
        "section 0 of base is WORDS of 3 words and that of changed WORDS of 2");
    FilterContents other =
        builder().section(SectionRole.WORDS, 1, 2, 3).section(SectionRole.STASH, 1, 2).build();
    assertRefused(
        () -> Delta.between(base, other),
        "section 1 of base is EXCESS of 2 words and that of changed STASH of 2");
  }

  /** Sixteen times the words of base and code, and 64 KiB. */
  @Test
  void versionThatIsMuchLargerIsToBeSentAsAWhole() throws FilterFormatException {
    FilterContents base = withExcess(new long[10]);
    int most = 16 * 10 + (64 << 10) / Long.BYTES - 10;
    assertLeads(base, withExcess(new long[10], new long[most]));
    assertRefused(
        () -> Delta.between(base, withExcess(new long[10], new long[most + 1])),
        "the changed filter has " + 8 * (most + 11) + " bytes, more than 16 times");
    // A word of code is worth sixteen more.
    long[] excess = new long[most + 16];
    excess[0] = 1;
    assertLeads(base, withExcess(new long[10], excess));
    assertRefused(
        () -> Delta.between(base, withExcess(new long[10], Arrays.copyOf(excess, most + 17))),
        "send it as a whole");
  }

  @Test
  void otherFilterIsRefused() {
    Delta delta = Delta.between(of(1, 2, 3), of(1, 2, 4));
    String start = "the delta leads a MyFilter of strategy mine/1#4d from version ";
    assertRefused(
        () -> delta.apply(FilterContents.of(OTHER, STRATEGY, 42).build()),
        start + String.format("%016x", of(1, 2, 3).fingerprint()),
        String.format(
            " to %016x, but base is another filter, a OtherFilter", delta.resultFingerprint()));
    assertRefused(
        () -> delta.apply(FilterContents.of(MINE, new StrategyIdentity("mine/2", 77), 42).build()),
        start,
        "base is another filter, a MyFilter of strategy mine/2#4d");
    assertRefused(() -> delta.apply(of(1, 2)), "another filter, of another size");
    assertRefused(
        () -> delta.apply(builder().section(SectionRole.BUCKETS, 1, 2, 3).build()),
        "another filter, of another size");
    assertRefused(
        () -> delta.apply(of(9, 9, 9)),
        "by 1 of 1 bits that change another version or another filter");
    assertRefused(() -> delta.apply(of(1, 2, 4)), "the delta was applied before");
  }

  /** A version with bit 0 of each word set where a function of its index says so, and a mark. */
  private static FilterContents version(int words, long mark, IntPredicate isSet) {
    long[] array = new long[words + 1];
    for (int i = 0; i < words; i++) {
      array[i] = isSet.test(i) ? 1 : 0;
    }
    array[words] = mark;
    return of(array);
  }

  private static long[] ones(int words) {
    long[] ones = new long[words];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static String refusal(Delta delta, FilterContents base) {
    try {
      delta.apply(base);
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("applied");
  }

  private static void assertPlaced(String kind, int alike, int samples, String message) {
    assertTrue(
        message.endsWith(String.format("by %d of %d bits that change %s", alike, samples, kind)),
        message);
  }

  @Test
  void anotherVersionIsPlacedByTheBitsThatChange() {
    String older = "an older version: apply the deltas in between first, or fetch the whole filter";
    String newer = "a newer version: this delta came too late, leave it out";
    String other = "another filter";
    String unclear = "another version or another filter";
    Delta of64 = Delta.between(version(64, 0, i -> i % 3 == 0), version(64, 0, i -> i % 3 != 0));
    for (int different = 0; different <= 64; different++) {
      int from = different;
      FilterContents third = version(64, 1, i -> i % 3 == 0 ^ i < from);
      String kind = different <= 8 ? older : different >= 56 ? newer : other;
      assertPlaced(kind, 64 - different, 64, refusal(of64, third));
    }
    Delta of16 = Delta.between(version(16, 0, i -> false), version(16, 0, i -> true));
    assertPlaced(older, 14, 16, refusal(of16, version(16, 1, i -> i > 13)));
    assertPlaced(other, 13, 16, refusal(of16, version(16, 1, i -> i > 12)));
    assertPlaced(newer, 2, 16, refusal(of16, version(16, 1, i -> i > 1)));
    Delta of15 = Delta.between(version(15, 0, i -> false), version(15, 0, i -> true));
    assertPlaced(unclear, 15, 15, refusal(of15, version(15, 1, i -> false)));
    // Of 128 changes every second is looked at, from the first one on.
    Delta of128 = Delta.between(version(128, 0, i -> false), version(128, 0, i -> true));
    assertPlaced(older, 64, 64, refusal(of128, version(128, 1, i -> i % 2 == 1)));
    assertPlaced(newer, 0, 64, refusal(of128, version(128, 1, i -> i % 2 == 0)));
    // The samples go on in the next section; what the version does not have is zero.
    FilterContents base = withExcess(new long[8]);
    Delta over = Delta.between(base, withExcess(ones(8), ones(8)));
    assertPlaced(older, 16, 16, refusal(over, withExcess(new long[8], new long[9])));
    assertPlaced(other, 8, 16, refusal(over, withExcess(new long[8], ones(8))));
    assertPlaced(older, 16, 16, refusal(over, of(new long[8])));
    // A section that is inverted has none.
    Delta inverted = Delta.between(withExcess(new long[16], 0), withExcess(ones(16), -2));
    assertPlaced(older, 16, 16, refusal(inverted, withExcess(new long[16], 5)));
    Delta nothingElse = Delta.between(of(0), of(-2));
    assertPlaced(unclear, 0, 0, refusal(nothingElse, of(5)));
  }

  /** The delta of which one thing is changed, with right checksums. */
  private static byte[] forged(
      Delta delta, Consumer<long[]> fields, Consumer<long[]> table, Consumer<long[]> code) {
    FilterContents parts = parts(delta.toBytes());
    long[] rows = wordsOf(parts, 0);
    long[] words = wordsOf(parts, 1);
    fields.accept(parts.fields());
    table.accept(rows);
    code.accept(words);
    return file(parts.fields(), rows, words);
  }

  private static byte[] file(long[] fields, long[] table, long... code) {
    return FilterContents.of(FilterVariant.DELTA, STRATEGY, fields)
        .section(SectionRole.TABLE, table)
        .section(SectionRole.CHANGES, code)
        .build()
        .toBytes();
  }

  private static byte[] withCell(int cell, long value) {
    return forged(delta(), fields -> {}, table -> table[ROW + cell] = value, code -> {});
  }

  private static Delta delta() {
    return Delta.between(of(1, 2, 3), of(5, 2, 1));
  }

  private static void assertNotRead(byte[] bytes, String... partsOfMessage) {
    assertRefused(FilterFormatException.class, () -> Delta.fromBytes(bytes), partsOfMessage);
  }

  @Test
  void fieldsOfAFileThatMeanNothingAreRefused() throws FilterFormatException {
    for (long variant : new long[] {0, 0x10000, -1}) {
      assertNotRead(
          forged(delta(), fields -> fields[0] = variant, table -> {}, code -> {}),
          "variant must lie in [1, 65535] but is " + variant);
    }
    assertNotRead(
        forged(delta(), fields -> fields[0] = 256, table -> {}, code -> {}),
        "a delta cannot lead to a delta");
    for (long variant : new long[] {1, 0xffff}) {
      Delta other =
          Delta.fromBytes(forged(delta(), fields -> fields[0] = variant, table -> {}, code -> {}));
      assertRefused(() -> other.apply(of(1, 2, 3)), "another filter, a MyFilter");
    }
    assertNotRead(of(1, 2, 3).toBytes(), "this is a variant 32769 and not a Delta");
    FilterContents threeFields = FilterContents.of(FilterVariant.DELTA, STRATEGY, 1, 2, 3).build();
    assertNotRead(threeFields.toBytes(), "a Delta has 4 fields but here are 3");
    // Of two changes there are two samples.
    assertEquals(0b10, parts(delta().toBytes()).fields()[3]);
    Delta.fromBytes(forged(delta(), fields -> fields[3] = 0b11, table -> {}, code -> {}));
    for (long sample : new long[] {0b100, -1, 1L << 63}) {
      assertNotRead(
          forged(delta(), fields -> fields[3] = sample, table -> {}, code -> {}),
          "of 2 changes there are no more samples");
    }
    Delta many = Delta.between(of(new long[4]), of(-1, -1, 0, 0));
    Delta.fromBytes(forged(many, fields -> fields[3] = -1, table -> {}, code -> {}));
  }

  @Test
  void tableThatHoldsNoFieldsAndRowsIsRefused() throws FilterFormatException {
    long[] fields = parts(delta().toBytes()).fields();
    assertNotRead(file(fields, new long[0]), "0 words do not hold");
    assertNotRead(file(fields, new long[] {-1}), "1 words do not hold -1 fields");
    assertNotRead(file(fields, new long[] {1}), "1 words do not hold 1 fields");
    assertNotRead(file(fields, new long[] {1, 1, 1}), "3 words do not hold 1 fields");
    assertNotRead(file(fields, new long[] {4, 1, 1}), "3 words do not hold 4 fields");
    assertNotRead(file(fields, new long[] {4}), "1 words do not hold 4 fields");
    long[] tooMany = new long[66];
    tooMany[0] = 65;
    assertNotRead(file(fields, tooMany), "66 words do not hold 65 fields");
    fields[3] = 0;
    long[] most = new long[65];
    most[0] = 64;
    assertRefused(() -> Delta.fromBytes(file(fields, most)).apply(of(1, 2, 3)), "but it leads to");
    Delta.fromBytes(file(fields, new long[] {0}));
  }

  @Test
  void rowsOutOfTheirRangesAreRefused() throws FilterFormatException {
    long row = wordsOf(parts(delta().toBytes()), 0)[ROW];
    assertEquals(1, row & 0xffff);
    for (long bad :
        new long[] {
          row - 1, // no role
          row + 6, // CHANGES
          row + 0x100,
          (row & ~0xff0000L) | 0x70000,
          (row & ~0xff0000L) | 0x7f0000,
          (row & ~0xff0000L) | 0xff0000,
          (row & 0xffffff) | (41L << 24),
          row | 1L << 63
        }) {
      assertNotRead(
          withCell(ROLE, bad), String.format("row 0 is not one of a changed section: %016x", bad));
    }
    assertNotRead(withCell(WORDS, -1), "row 0 is", ", -1 words");
    assertNotRead(withCell(WORDS, (1L << 34) + 1), "row 0 is", ", 17179869185 words");
    assertNotRead(withCell(CHANGES, -1), "row 0 is", ", -1 changes");
    assertNotRead(withCell(CHANGES, 193), "row 0 is", ", 193 changes");
    assertNotRead(withCell(CHANGES, 192), "section 0 has 192 changes");
    assertNotRead(withCell(CODE_WORDS, -1), "row 0 is", ", -1 of code");
    assertNotRead(withCell(CODE_WORDS, Integer.MAX_VALUE - 7), "row 0 is", ", 2147483640 of code");
    assertNotRead(
        withCell(CODE_WORDS, Integer.MAX_VALUE - 8), "CHANGES must have 2147483639 words");
    assertNotRead(withCell(CODE_WORDS, 0), "CHANGES must have 0 words");
    long[] fields = parts(delta().toBytes()).fields();
    fields[3] = 0;
    long[] rows = {0, 1, 10, 0, Integer.MAX_VALUE - 8, 1, 10, 0, 1};
    assertNotRead(file(fields, rows), "its rows claim more code than an array holds");
    rows[8] = 0;
    assertNotRead(file(fields, rows), "CHANGES must have 2147483639 words");
    // The largest section, with the largest unit and parameter, of which nothing changes.
    long[] largest = {0, 1 | 6 << 16 | 40L << 24, 1L << 34, 0, 0};
    Delta huge = Delta.fromBytes(file(fields, largest));
    assertRefused(() -> huge.apply(of(1, 2, 3)), "it leads to a filter of another size");
  }

  @Test
  void codeThatSaysSomethingElseIsRefused() {
    String start = "section CHANGES: section 0 has 2 changes but the code of 1 words holds ";
    assertNotRead(
        forged(delta(), fields -> {}, table -> {}, code -> code[0] = -1),
        start + "0 and then something else");
    assertNotRead(
        forged(delta(), fields -> {}, table -> {}, code -> code[0] |= 1L << 63),
        start + "2 and then something else");
  }

  @Test
  void forgedDeltasAreRefusedWhenTheyAreApplied() throws FilterFormatException {
    Delta otherEnd =
        Delta.fromBytes(forged(delta(), fields -> fields[2]++, table -> {}, code -> {}));
    assertRefused(() -> otherEnd.apply(of(1, 2, 3)), "another version than it says: it was forged");
    Delta longer =
        Delta.fromBytes(forged(delta(), fields -> {}, table -> table[ROW + WORDS]++, code -> {}));
    assertRefused(() -> longer.apply(of(1, 2, 3)), "a filter of another size: it was forged");
    long[] excess = {1, 2};
    FilterContents base = withExcess(new long[3], excess);
    Delta grown =
        Delta.fromBytes(
            forged(
                Delta.between(base, base),
                fields -> {},
                table -> table[ROW + 4 + WORDS] = 1 << 20,
                code -> {}));
    assertRefused(() -> grown.apply(base), "a filter of another size: it was forged");
  }
}
