package io.bloomkit.internal.format;

import static io.bloomkit.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.Words;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Sections of ascending numbers, and deltas between them. */
class AscendingNumbersTest {

  private static final long MAX = (1L << 60) - 1;

  private static FilterContents contents(long... numbers) {
    return DeltaSamples.builder().section(SectionRole.FINGERPRINTS, numbers).build();
  }

  private static long[] read(byte[] bytes) throws FilterFormatException {
    return FilterReader.fromBytes(
        bytes,
        reader -> {
          reader.require(DeltaSamples.MINE, DeltaSamples.STRATEGY, 1);
          SectionReader section = reader.table(SectionRole.FINGERPRINTS, 1 << 20, 1);
          long[] numbers = new long[(int) section.wordCount()];
          for (int i = 0; i < numbers.length; i++) {
            numbers[i] = section.next();
          }
          return numbers;
        });
  }

  /** Distinct numbers below a bound. */
  private static long[] random(SplittableRandom random, int count, long bound) {
    return random.longs(count, 0, bound).sorted().distinct().toArray();
  }

  @Test
  void numbersOfAnyDensityComeBack() throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(1);
    for (int count : new int[] {0, 1, 2, 3, 100, 5000}) {
      for (long bound = count + 1L; bound <= MAX / 10; bound *= 10) {
        long[] numbers = random(random, count, bound);
        assertArrayEquals(numbers, read(contents(numbers).toBytes()));
      }
    }
    for (long[] ends : new long[][] {{0}, {MAX}, {0, MAX}, {0, 1}, {MAX - 1, MAX}}) {
      assertArrayEquals(ends, read(contents(ends).toBytes()));
    }
  }

  @Test
  void theSparserTheMoreBytesUpToEight() {
    SplittableRandom random = new SplittableRandom(2);
    long before = 0;
    for (long bound = 2000; bound <= MAX / 4; bound *= 4) {
      long[] numbers = random(random, 2000, bound);
      long stored = contents(numbers).header().sections().get(0).storedBytes();
      assertTrue(stored > before && stored <= 8L * numbers.length, stored + " bytes");
      before = stored * numbers.length / 2000;
    }
  }

  @Test
  void deltasLeadFromAnyNumbersToAnyOthers() throws FilterFormatException {
    SplittableRandom random = new SplittableRandom(3);
    for (int run = 0; run < 300; run++) {
      long bound = 1L << random.nextInt(1, 60);
      long[] before = random(random, random.nextInt(200), bound);
      long[] after =
          run % 2 == 0
              ? random(random, random.nextInt(200), bound)
              : Arrays.stream(before).filter(number -> random.nextInt(10) > 0).toArray();
      DeltaSamples.assertLeads(contents(before), contents(after));
      DeltaSamples.assertLeads(contents(after), contents(before));
    }
  }

  @Test
  void fewChangesTakeFewBytes() {
    SplittableRandom random = new SplittableRandom(4);
    long[] before = random(random, 20_000, 2_000_000);
    long[] after = Arrays.stream(before).filter(number -> number % 1000 != 7).toArray();
    int changes = before.length - after.length;
    int size = ContentsDelta.between(contents(before), contents(after)).contents().toBytes().length;
    assertTrue(size < 300 + 4 * changes, () -> size + " bytes for " + changes + " changes");
  }

  @Test
  void aDeltaFitsItsBaseOnly() {
    ContentsDelta delta = ContentsDelta.between(contents(1, 5, 9), contents(1, 5, 10));
    assertThrows(IllegalArgumentException.class, () -> delta.apply(contents(1, 5, 8)));
    assertThrows(IllegalArgumentException.class, () -> delta.apply(contents(1, 5, 10)));
    ContentsDelta evens = ContentsDelta.between(below1000(i -> true), below1000(i -> i % 2 > 0));
    assertRefused(() -> evens.apply(below1000(i -> i != 1)), "older", "all 64 changed");
    assertRefused(() -> evens.apply(below1000(i -> i == 1)), "newer", "none of 64");
    assertRefused(() -> evens.apply(below1000(i -> i < 501)), "another filter (33 of 64");
  }

  private static FilterContents below1000(LongPredicate isThere) {
    return contents(LongStream.range(0, 1000).filter(isThere).toArray());
  }

  @Test
  void changesLeadToAsManyNumbersAsTheySay() {
    ChangeWriter writer = new ChangeWriter();
    assertFalse(writer.write(SectionRole.FINGERPRINTS, of(), of(3)).inverted());
    ChangedSection second = writer.write(SectionRole.FINGERPRINTS, of(1, 5), of(1, 6, 7));
    for (int length = 2; length <= 4; length++) {
      long[] numbers = new long[length];
      ChangeReader reader = new ChangeReader(writer.code(), second);
      assertEquals(length == 3, reader.changeNumbers(of(1, 5), numbers));
    }
  }

  private static Words of(long... numbers) {
    return new Words.OfLongs(numbers, 0, numbers.length);
  }

  @Test
  void forgedDeltasAreRefusedOrSound() throws FilterFormatException {
    FilterContents base = contents(1, 5, 9, 70, 71, 300);
    FilterContents parts =
        DeltaSamples.parts(
            ContentsDelta.between(base, contents(1, 6, 9, 71, 299, 300, 400)).contents().toBytes());
    long[] table = DeltaSamples.wordsOf(parts, 0);
    long[] code = DeltaSamples.wordsOf(parts, 1);
    int refused = 0;
    for (int bit = 0; bit < 64 * (table.length + code.length); bit++) {
      long[] forgedTable = table.clone();
      long[] forgedCode = code.clone();
      int word = bit / 64;
      if (word < table.length) {
        forgedTable[word] ^= 1L << bit;
      } else {
        forgedCode[word - table.length] ^= 1L << bit;
      }
      byte[] bytes =
          FilterContents.of(Variant.DELTA.code(), DeltaSamples.STRATEGY, parts.metadata().fields())
              .section(SectionRole.TABLE, forgedTable)
              .section(SectionRole.CHANGES, forgedCode)
              .build()
              .toBytes();
      try {
        FilterReader.fromBytes(bytes, ContentsDelta::read).apply(base);
      } catch (FilterFormatException | IllegalArgumentException e) {
        refused++;
      }
    }
    assertTrue(refused > 32 * (table.length + code.length), refused + " refused");
  }
}
