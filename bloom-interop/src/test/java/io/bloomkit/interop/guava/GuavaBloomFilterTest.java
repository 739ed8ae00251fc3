package io.bloomkit.interop.guava;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.testkit.internal.ConcurrentRunner;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A filter of ours and one of the real Guava, side by side. */
class GuavaBloomFilterTest {

  private static final int MILLION = 1_000_000;
  private static final double FPP = 0.03;

  private interface Comparison {
    void compare(GuavaCase<?> side) throws IOException;
  }

  private static Stream<DynamicTest> forEach(Comparison comparison) {
    return GuavaCase.ALL.stream()
        .map(side -> DynamicTest.dynamicTest(side.toString(), () -> comparison.compare(side)));
  }

  /** 64 bits, four hashes, empty, for each strategy. */
  private static byte[] small(int strategy) {
    return new byte[] {(byte) strategy, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  }

  private static GuavaBloomFilter<Long> empty() {
    return GuavaBloomFilter.create(GuavaFunnel.longs(), 1000, 0.01);
  }

  private static GuavaBloomFilter<Long> filterOf(long from, long to) {
    GuavaBloomFilter<Long> filter = empty();
    for (long i = from; i < to; i++) {
      filter.add(i);
    }
    return filter;
  }

  @Tag("campaign")
  @TestFactory
  Stream<DynamicTest> aMillionElementsAreAnsweredForAsGuavaDoesInEitherFormat() {
    return forEach(GuavaBloomFilterTest::fillBothAndCompare);
  }

  /** Both are filled by themselves and read by the other, ours from this library's format. */
  private static <T> void fillBothAndCompare(GuavaCase<T> side) throws IOException {
    BloomFilter<T> guava = side.guava(MILLION, FPP);
    GuavaBloomFilter<T> ours = side.read(GuavaCase.bytesOf(guava));
    for (int i = 0; i < MILLION; i++) {
      T element = side.element(i);
      guava.put(element);
      ours.add(element);
    }
    byte[] bytes = GuavaCase.bytesOf(guava);
    assertArrayEquals(bytes, ours.toBytes());
    assertEquals(ours, side.read(bytes));
    GuavaBloomFilter<T> stored = side.read(ours.contents().toBytes());
    assertEquals(ours, stored);
    BloomFilter<T> readByGuava = side.readByGuava(stored.toBytes());
    assertEquals(guava, readByGuava);
    assertSameAnswers(side, readByGuava, stored);
  }

  /** Queries both for the million stored elements and for a million others. */
  private static <T> void assertSameAnswers(
      GuavaCase<T> side, BloomFilter<T> guava, GuavaBloomFilter<T> ours) {
    int falsePositives = 0;
    for (int i = 0; i < 2 * MILLION; i++) {
      T element = side.element(i);
      boolean answer = ours.mightContain(element);
      if (answer != guava.mightContain(element) || (i < MILLION && !answer)) {
        throw new AssertionError(side + ": element " + i + " is answered for by " + answer);
      }
      falsePositives += i >= MILLION && answer ? 1 : 0;
    }
    // About 3 %, more for texts: short ones repeat. None or all would show nothing.
    assertTrue(falsePositives > 15_000 && falsePositives < 200_000, "positives: " + falsePositives);
  }

  @TestFactory
  Stream<DynamicTest> goingOnAddingReturnsAndWritesWhatGuavaDoes() {
    return forEach(GuavaBloomFilterTest::goOnAddingToBoth);
  }

  private static <T> void goOnAddingToBoth(GuavaCase<T> side) throws IOException {
    BloomFilter<T> guava = side.guava(3_000, FPP);
    for (int i = 0; i < 1_000; i++) {
      guava.put(side.element(i));
    }
    GuavaBloomFilter<T> ours = side.read(GuavaCase.bytesOf(guava));
    int added = 0;
    for (int i = 0; i < 10_000; i++) {
      boolean changed = ours.add(side.element(i));
      assertEquals(guava.put(side.element(i)), changed);
      added += changed ? 1 : 0;
      if (i % 500 == 0) {
        assertEquals(guava.expectedFpp(), ours.expectedFpp(), 1e-15 * guava.expectedFpp());
        long estimate = ours.approximateElementCount();
        assertTrue(Math.abs(guava.approximateElementCount() - estimate) <= 1);
      }
    }
    assertTrue(added > 1_000 && added < 9_000, "new: " + added);
    assertArrayEquals(GuavaCase.bytesOf(guava), ours.toBytes());
  }

  @Test
  void everyNumberOfHashesAndAnyNumberOfWordsAreAsInGuava() throws IOException {
    for (byte strategy : new byte[] {GuavaCase.MITZ_32, GuavaCase.MITZ_64}) {
      GuavaCase<Long> side = GuavaCase.longs(strategy);
      for (int hashes = 1; hashes <= 255; hashes++) {
        int words = 1 + hashes % 7;
        byte[] bytes = new byte[6 + 8 * words];
        ByteBuffer.wrap(bytes).put(strategy).put((byte) hashes).putInt(words);
        GuavaBloomFilter<Long> ours = side.read(bytes);
        BloomFilter<Long> guava = side.readByGuava(bytes);
        assertEquals(hashes, ours.hashes());
        assertEquals(64L * words, ours.positions());
        for (long i = 0; i < 10; i++) {
          assertEquals(guava.mightContain(i), ours.mightContain(i));
          assertEquals(guava.put(i), ours.add(i));
        }
        assertArrayEquals(GuavaCase.bytesOf(guava), ours.toBytes());
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> everyPowerOfTwoIsReadAndWrittenAsByGuava() {
    return IntStream.rangeClosed(5, 20)
        .mapToObj(log -> DynamicTest.dynamicTest("2^" + log, () -> roundTrip(1 << log)));
  }

  @Tag("deep")
  @TestFactory
  Stream<DynamicTest> everyPowerOfTwoUpToTheLargestIsReadAndWrittenAsByGuava() {
    return IntStream.rangeClosed(21, 27)
        .mapToObj(log -> DynamicTest.dynamicTest("2^" + log, () -> roundTrip(1 << log)));
  }

  private static void roundTrip(int length) throws IOException {
    for (byte strategy : new byte[] {GuavaCase.MITZ_32, GuavaCase.MITZ_64}) {
      GuavaCase<Long> side = GuavaCase.longs(strategy);
      ByteBuffer bytes = ByteBuffer.allocate(6 + length);
      bytes.put(strategy).put((byte) 5).putInt(length / 8);
      BloomFilter<Long> guava = side.readByGuava(bytes.array());
      for (long i = 0; i < Math.min(length / 2, 300_000); i++) {
        guava.put(side.element(i));
      }
      byte[] written = GuavaCase.bytesOf(guava);
      GuavaBloomFilter<Long> read = side.read(written);
      assertEquals(length, read.memoryBytes());
      byte[] again = read.toBytes();
      assertArrayEquals(written, again);
      assertEquals(guava, side.readByGuava(again));
    }
  }

  @Tag("deep")
  @Test
  void positionsAboveTwoToThe31AreThoseOfGuava() throws IOException {
    int words = (1 << 25) + (1 << 23); // a fifth of the positions lies above
    for (byte strategy : new byte[] {GuavaCase.MITZ_32, GuavaCase.MITZ_64}) {
      byte[] header = ByteBuffer.allocate(6).put(strategy).put((byte) 7).putInt(words).array();
      GuavaCase<Long> side = GuavaCase.longs(strategy);
      BloomFilter<Long> guava = BloomFilter.readFrom(EndlessZeros.after(header), side.guavas());
      GuavaBloomFilter<Long> ours =
          GuavaBloomFilter.readFrom(EndlessZeros.after(header), side.ours());
      for (long i = 0; i < 20_000; i++) {
        assertEquals(guava.put(i), ours.add(i));
      }
      CRC32 guavas = new CRC32();
      try (OutputStream out = // Guava writes word by word
          new BufferedOutputStream(
              new CheckedOutputStream(OutputStream.nullOutputStream(), guavas))) {
        guava.writeTo(out);
      }
      CRC32 written = new CRC32();
      ours.writeTo(new CheckedOutputStream(OutputStream.nullOutputStream(), written));
      assertEquals(guavas.getValue(), written.getValue());
    }
  }

  @Test
  void filterWithEveryBitSetSaysSo() throws IOException {
    byte[] full = small(1);
    Arrays.fill(full, 6, 14, (byte) -1);
    GuavaBloomFilter<Long> filter = GuavaBloomFilter.fromBytes(full, GuavaFunnel.longs());
    assertEquals(1, filter.expectedFpp());
    assertEquals(Long.MAX_VALUE, filter.approximateElementCount());
    assertTrue(filter.mightContain(1L));
    assertFalse(filter.add(1L));
  }

  @Test
  void bitsAreCounted() {
    GuavaBloomFilter<Long> filter = empty();
    assertEquals(0, filter.setPositions());
    assertEquals(0, filter.expectedFpp());
    assertTrue(filter.add(1L));
    assertEquals(filter.hashes(), filter.setPositions(), "seven hashes of 1 that differ");
    assertFalse(filter.add(1L));
    assertEquals(filter.hashes(), filter.setPositions());
    assertEquals(1, filter.approximateElementCount());
    assertTrue(filter.test(1L) && !filter.test(2L));
    assertEquals(filter.positions() / 8, filter.memoryBytes());
  }

  @Test
  void anotherFunnelFindsNothing() throws IOException {
    byte[] bytes = filterOf(0, 1000).toBytes();
    GuavaBloomFilter<Integer> ints = GuavaBloomFilter.fromBytes(bytes, GuavaFunnel.ints());
    int positives = 0;
    for (int i = 0; i < 1000; i++) {
      positives += ints.mightContain(i) ? 1 : 0;
    }
    assertTrue(positives < 100, "positives: " + positives);
  }

  @Test
  void createdFilterHasTheBitsAndHashesOfGuavas() throws IOException {
    SplittableRandom random = new SplittableRandom(57);
    for (int i = 0; i < 2000; i++) {
      int n = i < 100 ? i : 1 << random.nextInt(16) | random.nextInt(1000);
      double fpp = i % 2 == 0 ? (1 + random.nextInt(99)) / 100.0 : random.nextDouble();
      if (-n * Math.log(fpp) / (Math.log(2) * Math.log(2)) < 1) {
        continue; // Guava refuses filters without a bit
      }
      BloomFilter<Long> guavas = BloomFilter.create(Funnels.longFunnel(), n, fpp);
      GuavaBloomFilter<Long> created = GuavaBloomFilter.create(GuavaFunnel.longs(), n, fpp);
      assertArrayEquals(GuavaCase.bytesOf(guavas), created.toBytes(), n + " at " + fpp);
    }
    assertEquals(256, GuavaBloomFilter.create(GuavaFunnel.longs(), 35, 0.03).positions());
  }

  @Test
  void emptyFiltersMergeWithTheOneThatTheyAreLike() throws IOException {
    for (byte strategy : new byte[] {0, 1}) {
      GuavaCase<Long> longs = GuavaCase.longs(strategy);
      BloomFilter<Long> guavas = longs.guava(100, 0.02);
      guavas.put(7L);
      GuavaBloomFilter<Long> filter = longs.read(GuavaCase.bytesOf(guavas));
      GuavaBloomFilter<Long> empty = filter.newEmpty();
      assertEquals(0, empty.setPositions());
      assertTrue(empty.isCompatible(filter));
      empty.merge(filter);
      assertEquals(filter, empty);
    }
  }

  @Test
  void filtersHaveAGivenNumberOfBitsAndHashes() {
    GuavaBloomFilter<Long> filter = GuavaBloomFilter.ofSize(GuavaFunnel.longs(), 640, 255);
    assertEquals(640, filter.positions());
    assertEquals(255, filter.hashes());
    assertThrows(
        IllegalArgumentException.class,
        () -> GuavaBloomFilter.ofSize(GuavaFunnel.longs(), 640, 256));
    assertEquals(
        "positions must be a multiple of 64, from 64 to "
            + (long) WordArrays.MAX_LENGTH * Long.SIZE
            + ", got 65",
        assertThrows(
                IllegalArgumentException.class,
                () -> GuavaBloomFilter.ofSize(GuavaFunnel.longs(), 65, 3))
            .getMessage());
  }

  @Test
  void createdFilterHasThePlannedSize() {
    for (int n : new int[] {1, 26, 70, 500}) {
      GuavaBloomFilter<Long> created = GuavaBloomFilter.create(GuavaFunnel.longs(), n, FPP);
      FilterLayout layout = GuavaBloomFilter.layout(n, FPP);
      assertEquals(created.memoryBytes(), layout.memoryBytes());
      assertEquals(
          Map.of("positions", created.positions(), "hashes", created.hashes()), layout.figures());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> GuavaBloomFilter.create(GuavaFunnel.longs(), -1, 0.01));
    assertThrows(
        IllegalArgumentException.class, () -> GuavaBloomFilter.create(GuavaFunnel.longs(), 1, 1));
    assertThrows(IllegalArgumentException.class, () -> GuavaBloomFilter.layout(0, 0.01));
    // Within the largest shape, but some words above the longest array.
    long elements =
        (long) (Shape.MAX_POSITIONS / BloomFormulas.optimalPositionsPerElement(0.5)) - 100;
    String refusal =
        assertThrows(
                IllegalArgumentException.class,
                () -> GuavaBloomFilter.create(GuavaFunnel.longs(), elements, 0.5))
            .toString();
    assertTrue(refusal.contains(elements + " and fpp=0.5"), refusal);
    assertThrows(IllegalArgumentException.class, () -> GuavaBloomFilter.layout(elements, 0.5));
  }

  @Test
  void mergedFilterEqualsTheFilterOfBoth() throws IOException {
    GuavaBloomFilter<Long> merged = filterOf(0, 600);
    merged.merge(filterOf(400, 1000));
    GuavaBloomFilter<Long> both = filterOf(0, 1000);
    assertEquals(both, merged);
    assertEquals(both.hashCode(), merged.hashCode());
    assertNotEquals(both.hashCode(), filterOf(0, 600).hashCode());
    assertEquals(both.setPositions(), merged.setPositions());
    merged.merge(merged);
    assertEquals(both, merged);
    assertEquals(both.setPositions(), merged.setPositions());
    BloomFilter<Long> guava = GuavaCase.longs((byte) 1).readByGuava(filterOf(0, 600).toBytes());
    guava.putAll(GuavaCase.longs((byte) 1).readByGuava(filterOf(400, 1000).toBytes()));
    assertArrayEquals(GuavaCase.bytesOf(guava), merged.toBytes());
  }

  @Test
  void aFilterOfByteArraysGoesByTheirContents() {
    GuavaBloomFilter<byte[]> filter = GuavaBloomFilter.create(GuavaFunnel.byteArrays(), 1000, 0.01);
    assertTrue(filter.add(new byte[] {1, 2, 3}));
    assertTrue(filter.mightContain(new byte[] {1, 2, 3}));
    assertFalse(filter.mightContain(new byte[] {1, 2, 4}));
  }

  @Test
  void filtersThatDifferAreNotMerged() throws IOException {
    GuavaBloomFilter<Long> filter = GuavaBloomFilter.fromBytes(small(1), GuavaFunnel.longs());
    filter.add(1L);
    byte[] moreHashes = small(1);
    moreHashes[1] = 5;
    byte[] moreWords = Arrays.copyOf(small(1), 22);
    moreWords[5] = 2;
    for (byte[] other : List.of(small(0), moreHashes, moreWords)) {
      assertRefused(filter, GuavaBloomFilter.fromBytes(other, GuavaFunnel.longs()));
    }
    GuavaBloomFilter<Integer> ints = GuavaBloomFilter.fromBytes(small(1), GuavaFunnel.ints());
    assertFalse(filter.isCompatible(ints));
    assertNotEquals(filter, ints);
    assertEquals(4, filter.setPositions());
  }

  private static void assertRefused(GuavaBloomFilter<Long> filter, GuavaBloomFilter<Long> other) {
    assertFalse(filter.isCompatible(other));
    assertFalse(other.isCompatible(filter));
    assertNotEquals(filter, other);
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> filter.merge(other)).toString();
    String shape = "positions=" + other.positions() + ", hashes=" + other.hashes();
    assertTrue(refusal.contains(shape), refusal);
  }

  @Test
  void funnelsOfOneCharsetAreEqual() {
    GuavaFunnel<CharSequence> utf8 = GuavaFunnel.strings(StandardCharsets.UTF_8);
    assertEquals(utf8, GuavaFunnel.strings(StandardCharsets.UTF_8));
    assertEquals(utf8.hashCode(), GuavaFunnel.strings(StandardCharsets.UTF_8).hashCode());
    assertNotEquals(utf8, GuavaFunnel.strings(StandardCharsets.UTF_16LE));
    assertNotEquals(utf8, GuavaFunnel.unencodedChars());
    assertNotEquals(utf8.hashCode(), GuavaFunnel.unencodedChars().hashCode());
    assertNotEquals(GuavaFunnel.longs().hashCode(), GuavaFunnel.ints().hashCode());
  }

  @Test
  void copyIsIndependent() {
    GuavaBloomFilter<Long> filter = filterOf(0, 100);
    GuavaBloomFilter<Long> copy = filter.copy();
    assertEquals(filter, copy);
    assertEquals(filter.setPositions(), copy.setPositions());
    copy.add(1000L);
    assertNotEquals(filter, copy);
    assertEquals(filterOf(0, 100), filter);
  }

  @Test
  void toStringSaysWhatItIs() {
    assertEquals(
        "GuavaBloomFilter[positions=9600, hashes=7, strategy=MURMUR128_MITZ_64, funnel=longs,"
            + " set=0, expectedFpp=0.00]",
        empty().toString());
  }

  /** Each thread adds its own elements into few words, and queries each at once. */
  @Test
  void threadsLoseNoBitOfEachOther() throws IOException {
    int threads = 4;
    int elements = 2_000;
    for (int round = 0; round < 50; round++) {
      GuavaBloomFilter<Long> filter = empty();
      List<BooleanSupplier> parts = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        long from = (long) t * elements;
        parts.add(
            () -> {
              boolean found = true;
              for (long i = from; i < from + elements; i++) {
                filter.add(i);
                found &= filter.mightContain(i);
              }
              return found;
            });
      }
      for (boolean found : ConcurrentRunner.runAll(parts.toArray(new BooleanSupplier[0]))) {
        assertTrue(found);
      }
      GuavaBloomFilter<Long> alone = filterOf(0, (long) threads * elements);
      assertEquals(alone, filter);
      assertEquals(alone.setPositions(), filter.setPositions());
    }
  }

  @Test
  void savedWhileOthersAdd() throws Exception {
    saveWhileOthersAdd(TimeUnit.MILLISECONDS.toNanos(300));
  }

  /** Runs for the seconds of the system property {@code bloomkit.stressSeconds}, 3 by default. */
  @Tag("deep")
  @Test
  void savedWhileOthersAddForLong() throws Exception {
    saveWhileOthersAdd(TimeUnit.SECONDS.toNanos(Long.getLong("bloomkit.stressSeconds", 3)));
  }

  /** What was added before a filter is saved must be in the file, whatever comes meanwhile. */
  private static void saveWhileOthersAdd(long nanos) throws Exception {
    int writers = 2;
    int elements = 20_000;
    long end = System.nanoTime() + nanos;
    do {
      GuavaBloomFilter<Long> filter = GuavaBloomFilter.create(GuavaFunnel.longs(), 40_000, 1e-6);
      AtomicLongArray added = new AtomicLongArray(writers);
      BooleanSupplier saver =
          () -> {
            try {
              boolean isOver = false;
              for (int save = 0; !isOver; save++) {
                long[] before = {added.get(0), added.get(1)};
                isOver = before[0] + before[1] == (long) writers * elements;
                GuavaBloomFilter<Long> saved = saved(filter, save);
                for (int writer = 0; writer < writers; writer++) {
                  for (long i = 0; i < before[writer]; i++) {
                    assertTrue(saved.mightContain(writers * i + writer), "a lost element");
                  }
                }
              }
              return true;
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          };
      ConcurrentRunner.runAll(
          adder(filter, added, 0, elements), adder(filter, added, 1, elements), saver, saver);
    } while (System.nanoTime() - end < 0);
  }

  private static BooleanSupplier adder(
      GuavaBloomFilter<Long> filter, AtomicLongArray added, int writer, int elements) {
    return () -> {
      for (long i = 0; i < elements; i++) {
        filter.add(added.length() * i + writer);
        added.set(writer, i + 1);
      }
      return true;
    };
  }

  private static GuavaBloomFilter<Long> saved(GuavaBloomFilter<Long> filter, int save)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    switch (save % 4) {
      case 0 -> {
        return filter.copy();
      }
      case 1 -> {
        GuavaBloomFilter<Long> merged = GuavaBloomFilter.create(GuavaFunnel.longs(), 40_000, 1e-6);
        merged.merge(filter);
        return merged;
      }
      case 2 -> filter.writeBloomkitTo(out);
      default -> filter.writeTo(out);
    }
    return GuavaBloomFilter.fromBytes(out.toByteArray(), GuavaFunnel.longs());
  }
}
