package io.bloomkit.bench;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.durable.DurableContents;
import io.bloomkit.durable.DurableDeletableFilter;
import io.bloomkit.durable.SyncPolicy;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
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

  @Option(names = "--recoveries")
  private int recoveries = 3;

  @Option(names = "--folder", description = "an empty folder on the disk to measure")
  private Path folder = Path.of("target", "durable-bench");

  private static final int LOG_HEADER_BYTES = 40;
  private static final int FRAME_BYTES = 32;
  private static final int FRAME_UPDATES = 1 << 15;

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** Runs the command. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new DurableBench()).execute(args));
  }

  /** A part of the measurement. */
  private enum Part {
    UPDATES,
    RECOVERY,
    GROUPS,
    PAUSES
  }

  @Option(names = "--parts", split = ",", description = "${COMPLETION-CANDIDATES}; default: all")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Override
  public Integer call() throws Exception {
    out.println("| what | goal | figure |\n|---|---|---|");
    for (Part part : parts) {
      switch (part) {
        case UPDATES -> measureUpdates();
        case RECOVERY -> measureRecovery();
        case GROUPS -> measureGroups();
        case PAUSES -> measurePauses();
      }
    }
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

  /** The updates between two looks at the clock. */
  private static final int STRETCH = 1 << 18;

  /** Updates in turns: of a filter without a log and one with, by one thread and by two. */
  private enum Turn {
    PLAIN(1),
    DURABLE(1),
    PLAIN_TWO(2),
    DURABLE_TWO(2);

    final int threads;

    Turn(int threads) {
      this.threads = threads;
    }

    boolean isDurable() {
      return this == DURABLE || this == DURABLE_TWO;
    }
  }

  private final Map<String, List<Double>> ratios = new LinkedHashMap<>();

  /**
   * Runs an operation on all elements with both filters, in turns that are so short that others on
   * the machine disturb both alike.
   */
  private void compare(String what, LongConsumer plain, LongConsumer durable) throws Exception {
    double[] processor = new double[Turn.values().length];
    double[] clock = new double[Turn.values().length];
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      for (int from = 0; from + 2 * STRETCH <= elements; from += 2 * STRETCH) {
        boolean isReversed = from / STRETCH % 4 == 0;
        for (int i = 0; i < processor.length; i++) {
          Turn turn = Turn.values()[isReversed ? i ^ 1 : i];
          int first = from + (turn.threads - 1) * STRETCH;
          LongConsumer operation = turn.isDurable() ? durable : plain;
          List<Callable<Long>> tasks = new ArrayList<>();
          for (int t = 0; t < turn.threads; t++) {
            int start = first + t;
            tasks.add(() -> nanos(operation, start, first + STRETCH, turn.threads));
          }
          long before = System.nanoTime();
          long sum = 0;
          for (Future<Long> task : pool.invokeAll(tasks)) {
            sum += task.get();
          }
          clock[turn.ordinal()] = System.nanoTime() - before;
          processor[turn.ordinal()] = sum;
        }
        for (int one = 0; one < 4; one += 2) {
          String by = one == 0 ? ", 1 thread" : ", 2 threads";
          ratio(what + ", processor time" + by, "1.15", processor[one + 1] / processor[one]);
          ratio(what + ", by the clock" + by, "1.15", clock[one + 1] / clock[one]);
        }
        ratio(what + " per second of 2 threads, of 1, with a log", "1.4", clock[1] / clock[3]);
        ratio(what + " per second of 2 threads, of 1, without", "", clock[0] / clock[2]);
        ratio(what + " without a log, ns of processor time", "", processor[0] / STRETCH);
        ratio(what + " with a log, ns of processor time", "", processor[1] / STRETCH);
      }
    } finally {
      pool.shutdown();
    }
  }

  /** Returns the processor time of an operation on every second or on each element of a range. */
  private static long nanos(LongConsumer operation, int from, int to, int step) {
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (long i = from; i < to; i += step) {
      operation.accept(hash(i));
    }
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
  }

  private final Map<String, String> goals = new HashMap<>();

  private void ratio(String what, String goal, double value) {
    ratios.computeIfAbsent(what, key -> new ArrayList<>()).add(value);
    goals.put(what, goal);
  }

  private void measureUpdates() throws Exception {
    double bytes = 0;
    for (int round = 0; round <= rounds; round++) {
      if (round == 1) { // the first one warms up
        ratios.clear();
      }
      delete();
      DynamicCuckooFilter<Long> plain = builder(elements).build();
      try (DurableDeletableFilter<Long> durable = open(elements, SyncPolicy.EVERY_SECOND)) {
        compare("addition", plain::addHash, durable::addHash);
        durable.sync();
        bytes = (double) durable.logBytes() / durable.filter().elementCount().orElseThrow();
        compare("removal", plain::removeHash, durable::removeHash);
      }
    }
    ratios.forEach((what, values) -> row(what, goals.getOrDefault(what, ""), "%s", spread(values)));
    row("bytes per update on disk", "9", "%.3f", bytes);
  }

  private static double quantile(List<Double> values, double part) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get((int) (part * (sorted.size() - 1)));
  }

  private static String spread(List<Double> values) {
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f to %.2f)",
        quantile(values, 0.5),
        quantile(values, 0.25),
        quantile(values, 0.75));
  }

  /**
   * Writes a log by its format: a filter would make snapshots of it meanwhile.
   *
   * @return the bytes of the log
   */
  private long writeLog() throws IOException {
    open(recovered, SyncPolicy.ON_SYNC).close();
    Path log = folder.resolve("log-0000000001");
    byte[] header = Arrays.copyOf(Files.readAllBytes(log), LOG_HEADER_BYTES);
    long bytes = header.length;
    int checksum = ByteBuffer.wrap(header).order(LITTLE_ENDIAN).getInt(32);
    ByteBuffer frame =
        ByteBuffer.allocate(FRAME_BYTES + Long.BYTES * FRAME_UPDATES).order(LITTLE_ENDIAN);
    try (OutputStream out = Files.newOutputStream(log)) {
      out.write(header);
      for (long i = 0; i < recovered; i += FRAME_UPDATES) {
        int count = (int) Math.min(FRAME_UPDATES, recovered - i);
        frame.clear();
        frame.putInt(0).putInt(checksum).put("ADDS".getBytes(StandardCharsets.US_ASCII));
        frame.putInt(count).putLong(0).putLong(bytes);
        for (int j = 0; j < count; j++) {
          frame.putLong(hash(i + j));
        }
        CRC32C crc = new CRC32C();
        crc.update(frame.array(), Integer.BYTES, frame.position() - Integer.BYTES);
        checksum = (int) crc.getValue();
        frame.putInt(0, checksum);
        out.write(frame.array(), 0, frame.position());
        bytes += frame.position();
      }
    }
    return bytes;
  }

  private void measureRecovery() throws Exception {
    delete();
    long bytes = writeLog();
    List<Double> ratios = new ArrayList<>();
    List<Double> seconds = new ArrayList<>();
    for (int round = 0; round < recoveries; round++) {
      long start = System.nanoTime();
      DurableContents<Long> contents = DurableContents.readFrom(folder, HashStrategies.longs());
      double replay = (System.nanoTime() - start) / 1e9;
      if (contents.recovery().updates() != recovered) {
        throw new AssertionError(contents.recovery());
      }
      double bulk = bulkSeconds();
      ratios.add(replay / bulk);
      seconds.add(replay);
      row(
          "updates, seconds to repeat them, seconds of their bulk addition",
          "",
          "%,d, %.1f, %.1f",
          recovered,
          replay,
          bulk);
    }
    row("replay, of the bulk addition of the same hashes", "2", "%s", spread(ratios));
    row("replay, seconds", "15 for 10⁸", "%s", spread(seconds));
    long start = System.nanoTime();
    open(recovered, SyncPolicy.ON_SYNC).close(); // also writes the log anew
    row("opening, seconds", "15 for 10⁸", "%.1f", (System.nanoTime() - start) / 1e9);
    row("bytes of the log per update", "9", "%.3f", (double) bytes / recovered);
  }

  /** Returns the time of one call with all hashes, into a filter as one that was read. */
  private double bulkSeconds() {
    DynamicCuckooFilter<Long> plain =
        DynamicCuckooFilter.builder(HashStrategies.longs()).expecting(recovered, 0.01).build();
    long[] hashes = new long[recovered];
    Arrays.setAll(hashes, i -> hash(i));
    long start = System.nanoTime();
    plain.addHashes(hashes, 0, hashes.length);
    return (System.nanoTime() - start) / 1e9;
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

  private static final int PAUSE_STEP = 1000;
  private static final long MIN_PAUSE_NANOS = 1_000_000;

  private void measurePauses() throws Exception {
    pauses("a loop without updates", i -> {});
    DynamicCuckooFilter<Long> plain = builder(elements).build();
    pauses("a filter without a log", i -> plain.addHash(hash(i % elements)));
    delete();
    try (DurableDeletableFilter<Long> durable = open(elements, SyncPolicy.EVERY_SECOND)) {
      LongConsumer update = i -> durable.addHash(hash(i % elements));
      pauses("a filter with a log", update);
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
      pauses("beside a compaction", update, compaction::isAlive);
      row("compaction of the folder, seconds", "", "%.1f", (System.nanoTime() - start) / 1e9);
    }
  }

  private void pauses(String what, LongConsumer operation) {
    long end = System.nanoTime() + 5_000_000_000L;
    pauses(what, operation, () -> System.nanoTime() < end);
  }

  /** Prints the longest pauses between operations, and the collections of garbage. */
  private void pauses(String what, LongConsumer operation, BooleanSupplier goesOn) {
    long collections = collectionMillis();
    List<Long> pauses = new ArrayList<>();
    long last = System.nanoTime();
    for (long i = 0; goesOn.getAsBoolean(); i += PAUSE_STEP) {
      for (long j = i; j < i + PAUSE_STEP; j++) {
        operation.accept(j);
        long now = System.nanoTime();
        if (now - last > MIN_PAUSE_NANOS) {
          pauses.add(now - last);
        }
        last = now;
      }
    }
    Collections.sort(pauses, Comparator.reverseOrder());
    row(
        "longest pauses, ms, " + what,
        "10",
        "%s; %d above 1 ms; %d ms of garbage collection",
        pauses.stream()
            .limit(3)
            .map(nanos -> String.format(Locale.ROOT, "%.1f", nanos / 1e6))
            .collect(Collectors.joining(", ")),
        pauses.size(),
        collectionMillis() - collections);
  }

  private static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
