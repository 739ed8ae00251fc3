package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.StorableFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Folders of each kind that every later version must open with the same result. */
class GoldenFolderTest {

  private static final Path GOLDEN = Path.of("src", "test", "resources", "golden-folders");

  private static DurableFilter<Long> open(Path folder, Kind kind, Kind.Clock clock)
      throws IOException {
    return new DurableFilter<>(
        DurableFolder.open(
            folder,
            kind.builder(60, clock),
            new DurableFolder.Settings(SyncPolicy.ON_SYNC, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0)));
  }

  /** Makes the updates that all folders have: of a snapshot, two segments and an open log. */
  private static void update(Updates updates, Kind kind, Kind.Clock clock, int part) {
    for (long i = 0; i < 20; i++) {
      clock.millis.addAndGet(1);
      long epoch = updates.haveEpochs() ? updates.epoch() : 0;
      updates.add(hash(updates.filter(), 10L * part + i), epoch);
      if (i % 3 == 0 && kind.removes()) {
        updates.remove(hash(updates.filter(), 10L * part + i), epoch);
      }
    }
  }

  @SuppressWarnings("unchecked") // all filters of the tests hold longs
  private static long hash(StorableFilter<?> filter, long element) {
    return ((StorableFilter<Long>) filter).strategy().hash(element);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void goldenFoldersAreOpened(Kind kind, @TempDir Path temporary) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("folder"));
    try (Stream<Path> files = Files.list(GOLDEN.resolve(kind.name()))) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    Kind.Clock clock = new Kind.Clock();
    Updates expected = Updates.of(kind.builder(60, clock).<Long>build());
    for (int part = 0; part < 3; part++) {
      update(expected, kind, clock, part);
    }
    try (DurableFilter<Long> filter = open(folder, kind, clock)) {
      assertEquals(expected.filter(), filter.filter());
      assertTrue(filter.recovery().updates() > 15);
      assertEquals(7, filter.recovery().bytesCut());
    }
  }

  /** Writes the folders of the kinds that are missing. */
  public static void main(String[] arguments) throws IOException {
    for (Kind kind : List.of(Kind.values())) {
      Path folder = GOLDEN.resolve(kind.name());
      if (Files.exists(folder)) {
        continue;
      }
      Kind.Clock clock = new Kind.Clock();
      DurableFilter<Long> filter = open(folder, kind, clock);
      for (int part = 0; part < 3; part++) {
        write(filter, kind, clock, part);
        if (part == 0) {
          filter.compact();
        } else if (part == 1) {
          filter.log.beginSegment();
        }
      }
      filter.sync();
      // The filter stays open, as in a process that is killed while it writes a frame.
      Path log = folder.resolve(FolderNames.log(3));
      byte[] bytes = Files.readAllBytes(log);
      Files.write(log, Arrays.copyOf(bytes, bytes.length + 7));
    }
  }

  private static void write(DurableFilter<Long> filter, Kind kind, Kind.Clock clock, int part) {
    for (long i = 0; i < 20; i++) {
      clock.millis.addAndGet(1);
      long hash = hash(filter.filter(), 10L * part + i);
      filter.addHash(hash);
      if (i % 3 == 0 && kind.removes()) {
        filter.log.remove(hash, false);
      }
    }
  }
}
