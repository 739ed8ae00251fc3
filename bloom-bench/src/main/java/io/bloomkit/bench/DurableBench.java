package io.bloomkit.bench;

import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.durable.DurableDeletableFilter;
import io.bloomkit.durable.SyncPolicy;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures a dynamic cuckoo filter with a log beside one without: updates, recovery, group commits
 * and what a compaction costs writers. Both take turns in one process.
 */
@Command(name = "durable", mixinStandardHelpOptions = true)
public final class DurableBench implements Callable<Integer> {

  @Option(names = "--elements")
  private int elements = 10_000_000;

  @Option(names = "--rounds")
  private int rounds = 5;

  @Option(names = "--recovered", description = "the number of updates that are recovered")
  private int recovered = 100_000_000;

  @Option(names = "--folder", description = "an empty folder on the disk to measure")
  private Path folder = Path.of("target", "durable-bench");

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** Runs the command. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new DurableBench()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    out.println("| what | goal | figure |\n|---|---|---|");
    for (int threads = 1; threads <= 2; threads++) {
      measureUpdates(threads);
    }
    measureRecovery();
    measureGroups();
    measureCompaction();
    delete();
    return 0;
  }

  private void row(String what, String goal, String format, Object... figures) {
    out.printf("| %s | %s | %s |%n", what, goal, String.format(Locale.ROOT, format, figures));
  }

  private static DynamicCuckooFilter.Builder<Long> builder(long elements) {
    return DynamicCuckooFilter.builder(HashStrategies.longs())
        .expecting(elements, 0.01)
        .allocated();
  }

  private static long hash(long i) {
    long hash = i * 0x9e3779b97f4a7c15L;
    hash = (hash ^ hash >>> 32) * 0xd6e8feb86659fd93L;
    return hash ^ hash >>> 32;
  }

  private DurableDeletableFilter<Long> open(long size, SyncPolicy policy) throws IOException {
    return DurableDeletableFilter.open(folder, builder(size), policy);
  }

  private void delete() throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(DurableBench::deleteFile);
      }
    }
  }

  private static void deleteFile(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The time of an operation: of the processors that ran the threads, and by the clock. */
  private record Nanos(double processor, double clock) {}

  /** Runs an operation on each of the elements by several threads. */
  private Nanos nanos(int threads, LongConsumer operation) throws InterruptedException {
    List<Thread> all = new ArrayList<>();
    AtomicLong processor = new AtomicLong();
    for (int t = 0; t < threads; t++) {
      int first = t;
      all.add(
          new Thread(
              () -> {
                long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                for (long i = first; i < elements; i += threads) {
                  operation.accept(hash(i));
                }
                processor.addAndGet(
                    ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
              }));
    }
    long start = System.nanoTime();
    all.forEach(Thread::start);
    for (Thread thread : all) {
      thread.join();
    }
    double clock = (double) (System.nanoTime() - start) / elements;
    return new Nanos(processor.doubleValue() / elements, clock);
  }

  private final double[] addNanos = new double[3];

  private void measureUpdates(int threads) throws Exception {
    List<Double> adds = new ArrayList<>();
    List<Double> removes = new ArrayList<>();
    List<Double> clockAdds = new ArrayList<>();
    List<Double> clockRemoves = new ArrayList<>();
    List<Double> times = new ArrayList<>();
    double bytes = 0;
    for (int round = 0; round < rounds; round++) {
      DynamicCuckooFilter<Long> plain = builder(elements).build();
      Nanos plainAdd = nanos(threads, plain::addHash);
      Nanos plainRemove = nanos(threads, plain::removeHash);
      delete();
      try (DurableDeletableFilter<Long> durable = open(elements, SyncPolicy.EVERY_SECOND)) {
        Nanos add = nanos(threads, durable::addHash);
        durable.sync();
        long log = durable.logBytes();
        bytes = Math.max(bytes, (double) log / elements);
        Nanos remove = nanos(threads, durable::removeHash);
        if (round > 0) { // the first one warms up
          adds.add(add.processor / plainAdd.processor);
          removes.add(remove.processor / plainRemove.processor);
          clockAdds.add(add.clock / plainAdd.clock);
          clockRemoves.add(remove.clock / plainRemove.clock);
          times.add(add.clock);
        }
      }
    }
    addNanos[threads] = median(times);
    String by = threads + (threads == 1 ? " thread" : " threads");
    row("addition, of the processor time without a log, " + by, "1.15", "%s", spread(adds));
    row("removal, of the processor time without a log, " + by, "1.15", "%s", spread(removes));
    row("addition, by the clock, " + by, "1.15", "%s", spread(clockAdds));
    row("removal, by the clock, " + by, "1.15", "%s", spread(clockRemoves));
    row("bytes per update on disk, " + by, "9", "%.3f", bytes);
    if (threads == 2) {
      row("additions per second of two threads, of one", "1.4", "%.2f", addNanos[1] / addNanos[2]);
    }
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }

  private static String spread(List<Double> values) {
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f to %.2f)",
        median(values),
        Collections.min(values),
        Collections.max(values));
  }

  private void measureRecovery() throws Exception {
    delete();
    long[] hashes = new long[1 << 20];
    try (DurableDeletableFilter<Long> durable = open(recovered, SyncPolicy.ON_SYNC)) {
      for (long i = 0; i < recovered; i += hashes.length) {
        int count = fill(hashes, i);
        durable.addHashes(hashes, 0, count);
      }
    }
    List<Double> ratios = new ArrayList<>();
    List<Double> seconds = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      long start = System.nanoTime();
      long replayed;
      try (DurableDeletableFilter<Long> durable = open(recovered, SyncPolicy.ON_SYNC)) {
        replayed = durable.recovery().updates();
      }
      double replay = (System.nanoTime() - start) / 1e9;
      DynamicCuckooFilter<Long> plain = builder(recovered).build();
      long bulk = 0;
      for (long i = recovered - replayed; i < recovered; i += hashes.length) {
        int count = fill(hashes, i);
        start = System.nanoTime();
        plain.addHashes(hashes, 0, count);
        bulk += System.nanoTime() - start;
      }
      ratios.add(replay / (bulk / 1e9));
      seconds.add(replay);
      row("updates repeated when the folder was opened", "", "%,d", replayed);
    }
    row("opening, of the bulk addition of the same hashes", "2", "%s", spread(ratios));
    row("opening, seconds", "15 for 10⁸", "%s", spread(seconds));
  }

  private int fill(long[] hashes, long from) {
    int count = (int) Math.min(hashes.length, recovered - from);
    for (int j = 0; j < count; j++) {
      hashes[j] = hash(from + j);
    }
    return count;
  }

  private void measureGroups() throws Exception {
    int threads = 100;
    int each = 200;
    delete();
    try (DurableDeletableFilter<Long> durable = open(1_000_000, SyncPolicy.EVERY_UPDATE)) {
      AtomicLong keys = new AtomicLong();
      List<Thread> all = new ArrayList<>();
      long before = durable.forces();
      long start = System.nanoTime();
      for (int t = 0; t < threads; t++) {
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < each; i++) {
                    durable.addHash(hash(keys.incrementAndGet()));
                  }
                });
        thread.start();
        all.add(thread);
      }
      for (Thread thread : all) {
        thread.join();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      double updates = (double) threads * each;
      row(
          "updates per force, a hundred threads, each update durable",
          "20",
          "%.0f, %,.0f updates a second",
          updates / (durable.forces() - before),
          updates / seconds);
      start = System.nanoTime();
      before = durable.forces();
      for (int i = 0; i < 1000; i++) {
        durable.addHash(hash(keys.incrementAndGet()));
      }
      row(
          "the same with one thread",
          "",
          "%.1f, %,.0f updates a second",
          1000.0 / (durable.forces() - before),
          1000 / ((System.nanoTime() - start) / 1e9));
    }
  }

  private void measureCompaction() throws Exception {
    delete();
    try (DurableDeletableFilter<Long> durable = open(elements, SyncPolicy.EVERY_SECOND)) {
      nanos(1, durable::addHash);
      long quiet = longest(durable, 2_000_000, elements);
      Thread compaction =
          new Thread(
              () -> {
                try {
                  durable.compact();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      long start = System.nanoTime();
      compaction.start();
      List<Long> pauses = new ArrayList<>();
      for (long from = 2L * elements; compaction.isAlive(); from += 10_000) {
        pauses.add(longest(durable, 10_000, from));
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      row("longest update without a compaction, ms", "", "%.2f", quiet / 1e6);
      row("longest update beside a compaction, ms", "10", "%.2f", Collections.max(pauses) / 1e6);
      row("compaction of the folder, seconds", "", "%.1f", seconds);
    }
  }

  private static long longest(DurableDeletableFilter<Long> durable, int count, long from) {
    long longest = 0;
    long last = System.nanoTime();
    for (long i = from; i < from + count; i++) {
      durable.addHash(hash(i));
      long now = System.nanoTime();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return longest;
  }
}
