package io.bloomkit.durable;

import io.bloomkit.format.StorableFilter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;

/** A process that updates a filter and prints how many updates were acknowledged. */
final class KilledWriter {

  private static final int KEYS = 200;
  private static final long SEGMENT_BYTES = 1 << 10;
  private static final long LOG_BYTES = 1 << 12;

  private KilledWriter() {}

  /** Updates that are determined by their numbers. */
  static final class Script {

    private final Random random = new Random(11);
    private final int[] counts = new int[KEYS];
    private long next;

    long next() {
      return next;
    }

    /** Returns the key of the next update, or the complement of the key for a removal. */
    int nextKey(boolean removes) {
      next++;
      int key = random.nextInt(KEYS);
      boolean isRemoval = random.nextInt(2) == 0 && counts[key] > 0 && removes;
      counts[key] += isRemoval ? -1 : 1;
      return isRemoval ? ~key : key;
    }

    /** Makes the next update. */
    void update(Kind kind, Updates updates) {
      int key = nextKey(kind.removes());
      if (key < 0) {
        updates.remove(hashOf(updates.filter(), ~key), 0);
      } else {
        updates.add(hashOf(updates.filter(), key), 0);
      }
    }
  }

  @SuppressWarnings("unchecked") // all filters of the tests hold longs
  private static long hashOf(StorableFilter<?> filter, int key) {
    return ((StorableFilter<Long>) filter).strategy().hash((long) key);
  }

  static DurableFilter<Long> open(Path folder, Kind kind) throws IOException {
    return new DurableFilter<>(
        DurableFolder.open(
            folder,
            kind.builder(KEYS, new Kind.Clock()),
            new DurableFolder.Settings(
                SyncPolicy.EVERY_UPDATE, SEGMENT_BYTES, LOG_BYTES, 0, /* checkMillis= */ 1)));
  }

  /** Returns a process of this class. */
  static ProcessBuilder process(Path folder, Kind kind, long done) {
    return new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xmx128m",
        "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        KilledWriter.class.getName(),
        folder.toString(),
        kind.name(),
        Long.toString(done));
  }

  /** Goes on after the first updates: the arguments are the folder, the kind and their number. */
  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    Kind kind = Kind.valueOf(args[1]);
    Script script = new Script();
    while (script.next() < Long.parseLong(args[2])) {
      script.nextKey(kind.removes());
    }
    DurableFilter<Long> filter = open(Path.of(args[0]), kind);
    while (!out.checkError()) { // else the test has ended
      int key = script.nextKey(kind.removes());
      if (key < 0) {
        filter.log.remove(hashOf(filter.filter(), ~key), true);
      } else {
        filter.addHash(hashOf(filter.filter(), key));
      }
      out.println(script.next());
    }
  }
}
