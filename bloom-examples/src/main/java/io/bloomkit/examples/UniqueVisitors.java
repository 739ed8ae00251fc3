package io.bloomkit.examples;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Counts the unique visitors of a web site in the log of a day, and compares the result with the
 * exact number.
 *
 * <p>{@code add} returns true for a visitor who is certainly new, so the number of these results is
 * the number of visitors minus the false positives. The fill ratio of a filter gives an estimate,
 * also for a union. The visitors of all hours do not add up to those of the day, since some
 * visitors return, but merging the filters of all hours gives the filter of the day.
 */
final class UniqueVisitors {

  private UniqueVisitors() {}

  static void run(int lines, Path folder, Report report) throws IOException {
    Path log = folder.resolve("access.log");
    write(log, lines);

    List<ClassicBloomFilter<String>> hours =
        Stream.generate(() -> filter(lines)).limit(24).toList();
    ClassicBloomFilter<String> day = filter(lines);
    FlatShape shape = day.shape();
    Set<String> exact = new HashSet<>();
    int added = 0;
    double missesExpected = 0;
    try (BufferedReader reader = Files.newBufferedReader(log)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] fields = line.split("\t", 3);
        int hour = LocalTime.parse(fields[0]).getHour();
        String visitor = fields[1];
        if (exact.add(visitor)) {
          missesExpected +=
              BloomFormulas.classicFpp(exact.size() - 1, shape.positions(), shape.hashes());
        }
        added += day.add(visitor) ? 1 : 0; // as the command "bloom dedup --fields 2" does
        hours.get(hour).add(visitor);
      }
    }
    int visitors = exact.size();
    report.line("visitors", "%,d on %,d lines", visitors, lines);
    report.line("visitors counted by add", "%,d", added);
    report.falsePositives("false positives", visitors - added, visitors, missesExpected / visitors);

    ClassicBloomFilter<String> merged = hours.get(0).copy();
    hours.forEach(merged::merge);
    estimate("visitors estimated", day, visitors, report);
    estimate("visitors estimated by merged hours", merged, visitors, report);
    long sum = hours.stream().mapToLong(ClassicBloomFilter::approximateElementCount).sum();
    report.line("sum of the estimates of the hours", "%,d", sum);
    long missed = exact.stream().filter(day.negate()).count();
    report.line("visitors not positive", "%d of %,d", missed, visitors);
    report.line("memory of a filter", "%,d kB", day.memoryBytes() / 1000);
  }

  /** Returns an empty filter. All filters have the same size, so that they can be merged. */
  private static ClassicBloomFilter<String> filter(int lines) {
    return ClassicBloomFilter.create(HashStrategies.utf8(), lines / 5, 0.01);
  }

  private static void estimate(
      String label, ClassicBloomFilter<String> filter, int visitors, Report report) {
    long estimate = filter.approximateElementCount();
    report.line(label, "%,d, %+.2f %%", estimate, 100.0 * (estimate - visitors) / visitors);
  }

  /** Writes lines of time, address and page. One line in four is from a returning visitor. */
  private static void write(Path log, int lines) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (BufferedWriter writer = Files.newBufferedWriter(log)) {
      for (int i = 0; i < lines; i++) {
        LocalTime time = LocalTime.ofSecondOfDay(86_400L * i / lines);
        double popularity = random.nextDouble();
        int visitor = (int) (popularity * popularity * lines / 5);
        String address = "10.%d.%d.%d".formatted(visitor >> 16, visitor >> 8 & 255, visitor & 255);
        writer.write(time + "\t" + address + "\t/page/" + random.nextInt(100) + "\n");
      }
    }
  }
}
