package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomkit.internal.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Logs as faulty versions of this library would repeat them: an update twice, or at another time.
 * The comparison with a model, on which the other tests rely, finds each fault.
 */
class BrokenReplayTest {

  private final JournalStorage storage = new JournalStorage();

  /** Fills a folder; each update has a frame of its own in the second segment. */
  private Workload fill(Kind kind) throws IOException {
    Workload workload = new Workload(kind, 13);
    try (DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC)) {
      for (int i = 0; i < 80; i++) {
        workload.update(filter);
        filter.sync();
        if (i == 40) {
          filter.compact();
        }
      }
    }
    return workload;
  }

  /** Changes the frames of the last segment, and makes their checksums right again. */
  private void edit(UnaryOperator<List<byte[]>> change) throws IOException {
    String name = FolderNames.log(2);
    byte[] bytes = storage.bytes(name);
    List<byte[]> frames = new ArrayList<>();
    for (int at = LogFormat.HEADER_BYTES; at < bytes.length; ) {
      int end =
          at
              + LogFormat.frameBytes(
                  LittleEndian.getInt(bytes, at + LogFormat.FRAME_TYPE),
                  LittleEndian.getInt(bytes, at + LogFormat.FRAME_COUNT));
      frames.add(Arrays.copyOfRange(bytes, at, end));
      at = end;
    }
    ByteArrayOutputStream edited = new ByteArrayOutputStream();
    edited.write(bytes, 0, LogFormat.HEADER_BYTES);
    int checksum = LittleEndian.getInt(bytes, LogFormat.HEADER_BYTES + LogFormat.FRAME_PREVIOUS);
    for (byte[] original : change.apply(frames)) {
      byte[] frame = original.clone();
      LittleEndian.putInt(frame, LogFormat.FRAME_PREVIOUS, checksum);
      checksum = LogFormat.checksum(frame, LogFormat.FRAME_PREVIOUS, frame.length);
      LittleEndian.putInt(frame, LogFormat.FRAME_CHECKSUM, checksum);
      edited.write(frame, 0, frame.length);
    }
    storage.setBytes(name, edited.toByteArray());
  }

  private static int type(byte[] frame) {
    return LittleEndian.getInt(frame, LogFormat.FRAME_TYPE);
  }

  private void deleteAll() throws IOException {
    for (String name : storage.list()) {
      storage.delete(name);
    }
  }

  private void assertIsFound(Workload workload) throws IOException {
    try (DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC)) {
      assertNotEquals(workload.models.get(80), filter.filter());
    }
  }

  @Test
  void anEditWithoutAChangeIsNone() throws IOException {
    for (Kind kind : Kind.values()) {
      deleteAll();
      Workload workload = fill(kind);
      edit(frames -> frames);
      try (DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC)) {
        assertEquals(workload.models.get(80), filter.filter());
      }
    }
  }

  @Test
  void aRemovalThatIsRepeatedTwiceIsFound() throws IOException {
    for (Kind kind : List.of(Kind.COUNTING, Kind.DYNAMIC, Kind.CUCKOO, Kind.BLOCKED_COUNTING)) {
      deleteAll();
      Workload workload = fill(kind);
      edit(
          frames -> {
            List<byte[]> twice = new ArrayList<>(frames);
            for (byte[] frame : frames) {
              if (type(frame) == LogFormat.REMOVALS) {
                twice.add(frames.size() - 1, frame); // before the mark
              }
            }
            return twice;
          });
      assertIsFound(workload);
    }
  }

  @Test
  void aSnapshotAndALogThatOverlapByOneUpdateAreFound() throws IOException {
    for (Kind kind : List.of(Kind.COUNTING, Kind.DYNAMIC, Kind.CUCKOO, Kind.WINDOW)) {
      deleteAll();
      Workload workload = fill(kind);
      storage.setBytes(LoadedFolder.newestSnapshot(storage), workload.models.get(42).toBytes());
      assertIsFound(workload);
    }
  }

  @Test
  void aTimeThatIsTakenFromTheClockAtReplayIsFound() throws IOException {
    Workload workload = fill(Kind.EXPIRING);
    long now = Updates.of(workload.models.get(80)).epoch();
    edit(
        frames -> {
          for (byte[] frame : frames) {
            LittleEndian.putLong(frame, LogFormat.FRAME_EPOCH, now);
          }
          return frames;
        });
    assertIsFound(workload);
  }
}
