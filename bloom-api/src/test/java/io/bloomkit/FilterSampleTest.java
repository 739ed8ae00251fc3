package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sample reads, counted. */
class FilterSampleTest {

  private static final int WORDS_OF_LINES = FilterEstimate.LINES * 8;

  private static List<Long> unitsOf(FilterSample sample) {
    List<Long> units = new ArrayList<>();
    sample.forEach(units::add);
    return units;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "4096, 1, 4096",
    "4097, 1, 4096",
    "8191, 1, 4096",
    "8192, 1, 4096",
    "8193, 1, 4096",
    "1000000007, 1, 4096",
    "4611686018427387904, 1, 4096",
    "37, 4, 10",
    "41, 4, 10",
    "1000000, 4, 100",
    "1000001, 2, 1",
    "5, 1, 2147483647"
  })
  void oneLineOfEachStratumIsRead(long units, int unitsPerLine, int max) {
    List<Long> read = unitsOf(new FilterSample(units, unitsPerLine, max));
    List<Long> lines = read.stream().map(unit -> unit / unitsPerLine).distinct().toList();
    assertTrue(lines.size() <= max, "lines " + lines.size());
    long all = (units - 1) / unitsPerLine + 1;
    if (all <= max) {
      assertEquals(LongStream.range(0, units).boxed().toList(), read);
    } else {
      assertTrue(lines.size() > max / 2, "lines " + lines.size());
    }
    long stratumLines = (all - 1) / max + 1;
    for (int i = 0; i < lines.size(); i++) {
      assertEquals(i, lines.get(i) / stratumLines, "stretch of line " + lines.get(i));
    }
    for (long line : lines) {
      long count = read.stream().filter(unit -> unit / unitsPerLine == line).count();
      assertEquals(Math.min(unitsPerLine, units - line * unitsPerLine), count, "line " + line);
    }
    assertEquals(read, unitsOf(new FilterSample(units, unitsPerLine, max)), "chosen again");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 64, 4096 * 512, 4096 * 512 + 1, 1L << 30, 1L << 37})
  void anEstimateOfAFlatFilterReadsNoMoreWordsThanItMay(long positions) {
    AtomicLong words = new AtomicLong();
    FilterEstimate.ofFlat(
        positions,
        7,
        64,
        word -> {
          assertTrue(word >= 0 && word <= (positions - 1) / 64, () -> "word " + word);
          words.incrementAndGet();
          return 0;
        },
        FilterEstimate.LINES);
    assertTrue(words.get() <= WORDS_OF_LINES, () -> words + " words");
    assertTrue(words.get() >= Math.min((positions - 1) / 64 + 1, WORDS_OF_LINES / 2));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 512, 1",
    "4096, 512, 1",
    "4098, 512, 1",
    "100000000, 512, 1",
    "16384, 128, 4",
    "16386, 128, 4",
    "100000000, 128, 4",
    "100000000, 128, 1"
  })
  void anEstimateOfBlocksReadsNoMoreWordsThanItMay(long blocks, int positions, int ofLine) {
    AtomicLong words = new AtomicLong();
    FilterEstimate.ofBlocks(
        new BlockedShape(blocks, positions, 6),
        ofLine,
        word -> {
          assertTrue(word >= 0 && word < blocks * 8, () -> "word " + word);
          words.incrementAndGet();
          return 3;
        },
        FilterEstimate.LINES);
    assertTrue(words.get() <= (long) WORDS_OF_LINES * ofLine, () -> words + " words");
  }

  @Test
  void noLineUnitOrUnitOfALineIsRefused() {
    assertEquals(
        "lines must be at least 1, got -3",
        assertThrows(IllegalArgumentException.class, () -> new FilterSample(1, 1, -3))
            .getMessage());
    assertEquals(
        "units must be at least 1, got 0",
        assertThrows(IllegalArgumentException.class, () -> new FilterSample(0, 1, 1)).getMessage());
    assertEquals(
        "unitsPerLine must be at least 1, got 0",
        assertThrows(IllegalArgumentException.class, () -> new FilterSample(1, 0, 1)).getMessage());
    assertEquals(
        "positionsPerWord must be at least 1, got 0",
        assertThrows(
                IllegalArgumentException.class, () -> FilterEstimate.ofFlat(1, 1, 0, word -> 0, 1))
            .getMessage());
  }

  @Test
  void theStandardErrorIsThatOfCochran() {
    FilterSample sample = new FilterSample(10, 1, 5);
    int[] set = {1, 2, 4, 4, 9};
    List<Long> read = new ArrayList<>();
    sample.forEach(
        unit -> {
          sample.add(set[read.size()], 16, set[read.size()] / 100.0);
          read.add(unit);
        });
    // The variance of 1, 2, 4, 4, 9 is 9.5, and half of the units were read.
    double error = Math.sqrt(9.5 / 5 * 0.5);
    assertEquals(4.0 / 16, sample.fill().value(), 1e-15);
    assertEquals(error / 16, sample.fill().standardError(), 1e-12);
    assertEquals(0.04, sample.fpp().value(), 1e-15);
    assertEquals(error / 100, sample.fpp().standardError(), 1e-12);
  }
}
