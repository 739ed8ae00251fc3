package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Segments of files, where there are any; else buffers do, as other tests show. */
class LongSegmentTest {

  private static final int OFFSET = 64;

  @TempDir private Path folder;

  private FileChannel channel(long... words) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(OFFSET + words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(OFFSET);
    for (long word : words) {
      bytes.putLong(word);
    }
    return FileChannel.open(Files.write(folder.resolve("words"), bytes.array()));
  }

  @Test
  @EnabledForJreRange(minVersion = 22)
  void wordsAreReadWhereverTheyStand() throws IOException {
    Object segment;
    try (FileChannel channel = channel(1, -2, Long.MIN_VALUE)) {
      segment = LongSegment.map(channel, OFFSET, 3 * Long.BYTES);
    } // what is mapped stays
    assertNotNull(segment);
    assertEquals(1, LongSegment.get(segment, 0));
    assertEquals(-2, LongSegment.get(segment, 1));
    assertEquals(Long.MIN_VALUE, LongSegment.get(segment, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> LongSegment.get(segment, 3));
    assertThrows(IndexOutOfBoundsException.class, () -> LongSegment.get(segment, -1));
  }

  @Test
  @EnabledForJreRange(minVersion = 22)
  void failureOfTheChannelIsThrown() throws IOException {
    FileChannel closed;
    try (FileChannel channel = channel(1)) {
      closed = channel;
    }
    assertThrows(IOException.class, () -> LongSegment.map(closed, OFFSET, Long.BYTES));
  }

  /** A file in a zip is read through a channel that has buffers only. */
  @Test
  @EnabledForJreRange(minVersion = 22)
  void channelWithoutSegmentsHasNone() throws IOException {
    Map<String, String> creating = Map.of("create", "true");
    try (FileSystem zip = FileSystems.newFileSystem(folder.resolve("words.zip"), creating)) {
      Path file = Files.write(zip.getPath("words"), new byte[Long.BYTES]);
      try (FileChannel channel = FileChannel.open(file)) {
        assertNull(LongSegment.map(channel, 0, Long.BYTES));
      }
    }
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_21)
  void olderJavasHaveNone() throws IOException {
    try (FileChannel channel = channel(1)) {
      assertNull(LongSegment.map(channel, OFFSET, Long.BYTES));
    }
  }
}
