package io.bloomkit.cli;

import static io.bloomkit.cli.FilterSizes.MILLION;
import static io.bloomkit.cli.FilterSizes.TEN_MILLION;
import static io.bloomkit.cli.FilterSizes.bits;
import static io.bloomkit.cli.FilterSizes.kind;
import static io.bloomkit.cli.PageText.flat;
import static io.bloomkit.cli.PageText.logged;
import static io.bloomkit.cli.PageText.match;
import static io.bloomkit.cli.PageText.names;
import static io.bloomkit.cli.PageText.number;
import static io.bloomkit.cli.PageText.results;
import static io.bloomkit.cli.PageText.rowsOfFilters;
import static io.bloomkit.cli.PageText.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.Shape;
import io.bloomkit.counting.dynamic.DynamicCuckooFilter;
import io.bloomkit.format.CacheLines;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Compares the tables of filters in README and docs/choosing.md, and the prose beside the latter,
 * with the filters.
 */
class ChooserFiguresTest {

  @Test
  void bitsPerElementInReadmeAreThoseOfTheFilters() throws Exception {
    List<List<String>> rows = rowsOfFilters("README.md", 2);
    assertEquals(5, rows.size());
    for (List<String> row : rows) {
      List<String> computed = new ArrayList<>();
      for (String name : names(row.get(2))) {
        computed.add(bits(name, 0.01));
      }
      assertEquals(String.join(", ", computed), row.get(4), row.get(2));
    }
  }

  @Test
  void bitsPerElementOfTheChooserAreThoseOfTheFilters() throws Exception {
    List<List<String>> rows = rowsOfFilters("docs/choosing.md", 2);
    assertEquals(8, rows.size());
    for (List<String> row : rows) {
      String name = names(row.get(2)).get(0);
      String shown = row.get(4).replace(" per insertion in the window", "");
      assertEquals(bits(name, 0.01) + " / " + bits(name, 0.001), shown, name);
    }
  }

  @Test
  void cacheLinesOfTheChooserAreThoseOfTheFilters() throws Exception {
    for (List<String> row : rowsOfFilters("docs/choosing.md", 2)) {
      String name = names(row.get(2)).get(0);
      CacheLines lines = kind(name).layout(TEN_MILLION, 0.01).cacheLines(TEN_MILLION);
      for (MatchResult mean : results("([\\d.]+) on average", row.get(5))) {
        assertEquals(Double.parseDouble(mean.group(1)), lines.add(), 0.5, name);
      }
      for (MatchResult fixed : results("/ (\\d+)(?: / (\\d+))?$", row.get(5))) {
        assertEquals(Integer.parseInt(fixed.group(1)), lines.query(), name);
        if (fixed.group(2) != null) {
          assertEquals(Integer.parseInt(fixed.group(2)), lines.remove(), name);
        }
      }
      for (MatchResult most : results("up to (\\d+)", row.get(5))) {
        assertEquals(Integer.parseInt(most.group(1)), lines.addAtMost(), name);
      }
    }
  }

  @Test
  void figuresOfTheChoosersProseAreThoseOfTheFilters() throws Exception {
    String page = flat("docs/choosing.md");
    MatchResult hashes = match("hashes: (\\d+) at 1 %, (\\d+) at 0.1 %", page);
    assertEquals(number(hashes.group(1)), Shape.of(TEN_MILLION, 0.01).hashes());
    assertEquals(number(hashes.group(2)), Shape.of(TEN_MILLION, 0.001).hashes());
    MatchResult dynamic =
        match(
            "It takes (\\d+) bits when it holds .*? about (\\d+) with room for (\\d+) times", page);
    assertEquals(number(dynamic.group(1)), number(bits("DynamicCuckooFilter", 0.01)), 0.5);
    double roomy = logged("planned for " + dynamic.group(3) + " times as many");
    assertEquals(number(dynamic.group(2)), roomy, 0.5);
    DynamicCuckooFilter<Long> filter =
        DynamicCuckooFilter.create(HashStrategies.longs(), 100_000 * MILLION, 0.01);
    assertTrue(page.contains("an empty one takes less than 1 kB"));
    assertTrue(filter.memoryBytes() < 1000);
    LongStream.range(0, MILLION).forEach(filter::addLong);
    assertEquals(
        number(match("and (\\d+) with room for a hundred thousand times", page).group(1)),
        8.0 * filter.memoryBytes() / MILLION,
        0.7); // the buckets of its tables depend on a random number
    MatchResult doubling = match("each doubling costs ([\\d.]+) to ([\\d.]+) bits", page);
    double full = logged("bits per element, 10⁷, full");
    double timesRoomy = number(dynamic.group(3));
    assertEquals(number(doubling.group(1)), (roomy - full) / log2(timesRoomy), 0.05);
    assertEquals(
        number(doubling.group(2)),
        (8.0 * filter.memoryBytes() / MILLION - full) / log2(100_000),
        0.1);
    for (String module : List.of("bloom-classic", "bloom-counting")) {
      String megabytes =
          match("\\| `" + module + "` \\| \\d+ \\| ([\\d.]+) \\|", text("docs/architecture.md"))
              .group(1);
      assertTrue(page.contains("of " + megabytes + " MB"), module);
    }
  }

  private static double log2(double x) {
    return Math.log(x) / Math.log(2);
  }

  @Test
  void repeatedAdditionsTakeTheStatedMemory() throws Exception {
    String page = flat("docs/choosing.md");
    assertTrue(page.contains("a counting filter takes no more than before"));
    assertTrue(page.contains("a `DynamicCuckooFilter` twice as much"));
    double once = bitsOfCopies("DynamicCuckooFilter", 1);
    assertEquals(2, bitsOfCopies("DynamicCuckooFilter", 2) / once, 0.1);
    MatchResult eight =
        match(
            "takes (\\d+) bits per element at 1 %, a counting filter more than (\\d+), since",
            page);
    assertEquals(number(eight.group(1)), bitsOfCopies("DynamicCuckooFilter", 8), 1);
    assertEquals(
        number(match("20 additions of each take (\\d+) times", page).group(1)),
        bitsOfCopies("DynamicCuckooFilter", 20) / once,
        0.3);
    for (String name : List.of("CountingBloomFilter", "BlockedCountingBloomFilter")) {
      double bits = bitsOfCopies(name, 1);
      assertEquals(bits, bitsOfCopies(name, 2), 0.01 * bits, name);
      assertTrue(bitsOfCopies(name, 8) > number(eight.group(2)), name);
    }
    double times = number(match("a `CuckooFilter` more than (\\d+) times", page).group(1));
    assertTrue(bitsOfCopies("CuckooFilter", 2) > times * bitsOfCopies("CuckooFilter", 1));
  }

  /** Returns the bits per element of a full filter to which each element was added repeatedly. */
  private static double bitsOfCopies(String name, int copies) {
    int elements = 100_000;
    LongHashStrategy strategy = HashStrategies.longs();
    FilterKind kind = kind(name);
    StorableFilter<Long> filter = kind.create(strategy, elements, 0.01);
    for (int copy = 0; copy < copies; copy++) {
      LongStream.range(0, elements).forEach(i -> kind.addHash(filter, strategy.hash(i)));
    }
    return 8.0 * filter.memoryBytes() / elements;
  }
}
