package io.bloomkit.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamDeduplicatorTest {

  private static final int FILES = 6;
  private static final int NEW_IN_A_FILE = 300;
  private static final int BUCKETS = 4;

  @TempDir private Path folder;

  private final SparkSession spark = LocalSpark.session();

  /**
   * Each file has new IDs, and those of the file before again: 150 rows a bucket and file, so that
   * a window of 400 rows has the repeats, and moves.
   */
  private void writeFiles() throws IOException {
    writeFiles(0, FILES);
  }

  private void writeFiles(int from, int to) throws IOException {
    Files.createDirectories(folder.resolve("in"));
    for (int file = from; file < to; file++) {
      List<String> lines =
          LongStream.range((file - 1L) * NEW_IN_A_FILE, (file + 1L) * NEW_IN_A_FILE)
              .filter(id -> id >= 0)
              .mapToObj(Long::toString)
              .toList();
      Path path = folder.resolve("in").resolve(file + ".txt");
      Files.write(path, lines);
      Files.setLastModifiedTime(path, FileTime.fromMillis(1_000_000L * (file + 1)));
    }
  }

  private StreamingQuery start(long rowsPerBucket, VoidFunction2<Dataset<String>, Long> sink)
      throws Exception {
    return start(BUCKETS, rowsPerBucket, sink);
  }

  private StreamingQuery start(
      int buckets, long rowsPerBucket, VoidFunction2<Dataset<String>, Long> sink) throws Exception {
    MapFunction<String, String> self = text -> text;
    return new StreamDeduplicator<>(self, HashStrategies::utf8, buckets, rowsPerBucket, 0.0001)
        .deduplicate(
            spark
                .readStream()
                .option("maxFilesPerTrigger", 1)
                .textFile(folder.resolve("in").toString()))
        .writeStream()
        .outputMode("append")
        .option("checkpointLocation", folder.resolve("checkpoint").toString())
        .trigger(Trigger.AvailableNow())
        .foreachBatch(sink)
        .start();
  }

  @Test
  void aQueryThatFailsHalfWayGoesOnAsIfItHadNot() throws Exception {
    writeFiles();
    Map<Long, List<String>> passed = new ConcurrentHashMap<>();
    StreamingQuery failing =
        start(
            400,
            (batch, id) -> {
              List<String> rows = batch.collectAsList(); // its state is written by then
              if (id == FILES / 2) {
                throw new IllegalStateException("stopped in the middle");
              }
              passed.put(id, rows);
            });
    assertThrows(StreamingQueryException.class, failing::awaitTermination);
    assertEquals(FILES / 2, passed.size());

    StreamingQuery restarted = start(400, (batch, id) -> passed.put(id, batch.collectAsList()));
    restarted.awaitTermination();
    assertEquals(FILES, passed.size());
    List<String> all = new ArrayList<>();
    passed.values().forEach(all::addAll);
    assertEquals(new HashSet<>(all).size(), all.size(), "a repeat has passed");
    int lost = FILES * NEW_IN_A_FILE - all.size();
    assertTrue(lost <= 4, () -> lost + " first rows lost at one in ten thousand");

    Files.write(folder.resolve("in").resolve("more.txt"), List.of("1"));
    StreamingQuery resized = start(500, (batch, id) -> passed.put(id, batch.collectAsList()));
    StreamingQueryException wrongSize =
        assertThrows(StreamingQueryException.class, resized::awaitTermination);
    assertTrue(wrongSize.toString().contains("expected number 500"), wrongSize.toString());
    assertTrue(wrongSize.toString().contains("the same as when the checkpoint was created"));
  }

  /** A query in a machine of its own, killed as by the loss of its power, that writes files. */
  @Tag("deep")
  @Test
  void aQueryThatIsKilledGoesOnAsIfItHadNot() throws Exception {
    writeFiles(0, FILES - 2);
    Path out = folder.resolve("out");
    Process process = QueryInAProcess.start(folder);
    try {
      long start = System.nanoTime();
      while (committedBatches(out) < 2) {
        assertTrue(process.isAlive(), "the query ended too early");
        assertTrue(System.nanoTime() - start < 600e9, "the query does not get on");
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    int before = committedBatches(out);
    assertTrue(before >= 2 && before <= FILES - 2, () -> before + " batches");
    writeFiles(FILES - 2, FILES);
    QueryInAProcess.query(spark, folder, Trigger.AvailableNow()).awaitTermination();
    assertEquals(FILES, committedBatches(out));

    List<String> all = spark.read().textFile(out.toString()).collectAsList();
    assertEquals(new HashSet<>(all).size(), all.size(), "a repeat has passed");
    int lost = FILES * NEW_IN_A_FILE - all.size();
    assertTrue(lost >= 0 && lost <= 4, () -> lost + " first rows lost at one in ten thousand");
  }

  private static int committedBatches(Path out) throws IOException {
    Path log = out.resolve("_spark_metadata");
    if (!Files.exists(log)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(log)) {
      return (int)
          files
              .filter(file -> file.getFileName().toString().matches("[0-9]+(\\.compact)?"))
              .count();
    }
  }

  @Test
  void rowsWithoutAKeyPassAndAnotherNumberOfBucketsIsRefused() throws Exception {
    MapFunction<String, String> key = text -> text.isEmpty() ? null : text;
    StreamDeduplicator<String, String> four =
        new StreamDeduplicator<>(key, HashStrategies::utf8, BUCKETS, 1_000, 0.0001);
    assertEquals(
        List.of("", "", "a"),
        four
            .deduplicate(spark.createDataset(List.of("", "a", "", "a"), Encoders.STRING()))
            .collectAsList()
            .stream()
            .sorted()
            .toList());

    writeFiles();
    start(BUCKETS, 2_000, (batch, id) -> batch.count()).awaitTermination();
    Files.write(folder.resolve("in").resolve("more.txt"), List.of("1", "2", "3", "4", "5"));
    StreamingQuery more = start(BUCKETS + 1, 2_000, (batch, id) -> batch.count());
    StreamingQueryException wrong =
        assertThrows(StreamingQueryException.class, more::awaitTermination);
    assertTrue(
        wrong.toString().contains("the same as when the checkpoint was created"), wrong.toString());
  }

  @Test
  void withoutAStreamAllRowsAreOneBatch() {
    MapFunction<String, String> self = text -> text;
    List<String> rows =
        new StreamDeduplicator<>(self, HashStrategies::utf8, BUCKETS, 1_000, 0.0001)
            .deduplicate(spark.createDataset(List.of("a", "b", "a", "c", "b"), Encoders.STRING()))
            .collectAsList();
    assertEquals(List.of("a", "b", "c"), rows.stream().sorted().toList());
  }

  /** Rows come in blocks of 4096; repeats are in the same block, in the next one and far away. */
  @Test
  void moreRowsThanABlockPassOnceEach() {
    MapFunction<String, String> key = text -> text.equals("none") ? null : text;
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      rows.add(Integer.toString(i));
      rows.add(Integer.toString(i / 2));
      rows.add(i % 10 == 0 ? "none" : Integer.toString(Math.max(0, i - 5000)));
    }
    List<String> passed =
        new StreamDeduplicator<>(key, HashStrategies::utf8, 2, 40_000, 1e-9)
            .deduplicate(spark.createDataset(rows, Encoders.STRING()))
            .collectAsList();
    List<String> expected = new ArrayList<>(Collections.nCopies(2000, "none"));
    LongStream.range(0, 20_000).forEach(id -> expected.add(Long.toString(id)));
    assertEquals(expected.stream().sorted().toList(), passed.stream().sorted().toList());
  }

  @Test
  void sizesThatAreNotPossibleAreRefused() {
    MapFunction<String, String> self = text -> text;
    assertThrows(
        IllegalArgumentException.class,
        () -> new StreamDeduplicator<>(self, HashStrategies::utf8, 0, 10, 0.1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new StreamDeduplicator<>(self, HashStrategies::utf8, 1, 0, 0.1));
  }
}
