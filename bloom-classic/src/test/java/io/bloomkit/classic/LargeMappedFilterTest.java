package io.bloomkit.classic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.IndexDerivation;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Filters of more than 2 GiB and 2<sup>32</sup> positions, in sparse files that take some pages of
 * the disk: header and bits are written one by one, as no array holds them.
 */
@Tag("deep")
class LargeMappedFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  /** 2.5 GiB, so that there are three parts and the last is not a whole one. */
  private static final long BYTES = 5L << 29;

  /** What is written, and what the directory of a sparse file may take. */
  private static final long NEEDED_BYTES = 16 << 20;

  private static final int ELEMENTS = 200;
  private static final int OTHERS = 2000;
  private static final int HASHES = 6;

  @TempDir private Path directory;

  /** A file as a small filter's, but with other fields, length, and no bits. */
  private Path sparseFile(BitFilter<Long> small, long size, long words) throws IOException {
    assumeTrue(
        Files.getFileStore(directory).getUsableSpace() > NEEDED_BYTES, "the disk lacks room");
    byte[] template = small.contents().uncoded().toBytes();
    ByteBuffer header = ByteBuffer.wrap(template).order(ByteOrder.LITTLE_ENDIAN);
    int length = header.getInt(12);
    int entry = 48 + 8 * header.getShort(20) + 16 * (header.get(16) & 1);
    header.putLong(40, ELEMENTS);
    header.putLong(48, size);
    header.putLong(entry + 8, words);
    header.putLong(entry + 16, 8 * words);
    CRC32C crc = new CRC32C();
    crc.update(template, 0, length - 4);
    header.putInt(length - 4, (int) crc.getValue());
    Path file = directory.resolve("large");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.WRITE)) {
      channel.write(header.slice(0, length), 0);
      channel.write(ByteBuffer.allocate(4), payload(length) + 8 * words);
    }
    return file;
  }

  private static long payload(long headerBytes) {
    return (headerBytes + 63) & -64;
  }

  private static void set(FileChannel channel, long payload, long position) throws IOException {
    ByteBuffer one = ByteBuffer.allocate(1);
    long at = payload + position / 8;
    channel.read(one, at);
    one.put(0, (byte) (one.get(0) | (1 << (position % 8))));
    channel.write(one.rewind(), at);
  }

  private static long headerBytes(FileChannel channel) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    channel.read(start, 0);
    return start.getInt(12);
  }

  private static void assertAnswers(MappedFilter<Long> mapped) {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < ELEMENTS; i++) {
      assertTrue(mapped.mightContainHash(random.nextLong()));
    }
    for (int i = 0; i < OTHERS; i++) {
      assertFalse(mapped.mightContainHash(random.nextLong())); // 10^-40 each
    }
    assertEquals(BYTES, mapped.memoryBytes());
  }

  @Test
  void classicFilterHasPositionsAboveTwoToTheThirtyTwo() throws IOException {
    long positions = 8 * BYTES;
    ClassicBloomFilter<Long> small =
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(64, HASHES)).build();
    Path file = sparseFile(small, positions, BYTES / 8);
    Set<Long> partsUsed = new LinkedHashSet<>();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long payload = payload(headerBytes(channel));
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < ELEMENTS; i++) {
        long state = IndexDerivation.start(random.nextLong());
        for (int j = 0; j < HASHES; j++) {
          long position = IndexDerivation.position(state, positions);
          partsUsed.add(position >>> 33);
          set(channel, payload, position);
          state = IndexDerivation.next(state);
        }
      }
    }
    assertEquals(3, partsUsed.size());
    try (MappedFilter<Long> mapped = ClassicBloomFilter.openMapped(file, LONGS)) {
      assertAnswers(mapped);
    }
  }

  @Test
  void blockedFilterHasWordsInEveryPart() throws IOException {
    BlockedShape large = new BlockedShape(BYTES / 64, 512, HASHES);
    BlockedBloomFilter<Long> small =
        BlockedBloomFilter.builder(LONGS).shape(new BlockedShape(2, 512, HASHES)).build();
    Path file = sparseFile(small, large.blocks(), BYTES / 8);
    Set<Long> partsUsed = new LinkedHashSet<>();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long payload = payload(headerBytes(channel));
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < ELEMENTS; i++) {
        long hash = random.nextLong();
        for (int j = 0; j < HASHES; j++) {
          long position = large.positionOf(hash, j);
          partsUsed.add(position >>> 33);
          set(channel, payload, position);
        }
      }
    }
    assertEquals(3, partsUsed.size());
    try (MappedFilter<Long> mapped = BlockedBloomFilter.openMapped(file, LONGS)) {
      assertAnswers(mapped);
    }
  }

  /** A buffer's length may lie so near to that of the largest int that a loop over it overflows. */
  @Test
  void longestFileOfOneBufferIsVerifiedToItsEnd() throws IOException {
    long words = (1L << 28) - 1;
    ClassicBloomFilter<Long> small =
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(64, HASHES)).build();
    Path file = sparseFile(small, 64 * words, words);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long payload = payload(headerBytes(channel));
      for (int i = 0; i < ELEMENTS; i++) { // the last bits, as many as the elements may have set
        set(channel, payload, 64 * words - 1 - i);
      }
      ByteBuffer checksum = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
      checksum.putInt(0, checksum(channel, payload, 8 * words));
      channel.write(checksum, payload + 8 * words);
    }
    try (MappedFilter<Long> mapped = ClassicBloomFilter.openMapped(file, LONGS)) {
      mapped.verify();
    }
  }

  private static int checksum(FileChannel channel, long from, long length) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer piece = ByteBuffer.allocateDirect(1 << 20);
    for (long remaining = length; remaining > 0; remaining -= piece.limit()) {
      piece.clear().limit((int) Math.min(piece.capacity(), remaining));
      long at = from + length - remaining;
      while (piece.hasRemaining()) {
        channel.read(piece, at + piece.position());
      }
      crc.update(piece.flip());
    }
    return (int) crc.getValue();
  }

  /** Asks the questions in another virtual machine while this one has the file open. */
  @Test
  void otherProcessesShareTheFile() throws Exception {
    ClassicBloomFilter<Long> filter = ClassicBloomFilter.create(LONGS, 1000, 0.01);
    new SplittableRandom(1).longs(1000).forEach(filter::addHash);
    Path file = directory.resolve("shared");
    filter.writeMappableTo(file);
    try (MappedFilter<Long> mapped = ClassicBloomFilter.openMapped(file, LONGS)) {
      long[] hashes = new SplittableRandom(1).longs(2000).toArray();
      int here = mapped.mightContainHashes(hashes, 0, hashes.length, new boolean[2000]);
      Process other =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-cp",
                  classPath(),
                  OtherProcess.class.getName(),
                  file.toString())
              .redirectErrorStream(true)
              .start();
      String answer = new String(other.getInputStream().readAllBytes(), UTF_8).strip();
      assertEquals(Integer.toString(here), answer);
      assertEquals(0, other.waitFor());
      assertTrue(here >= 1000 && here < 1100);
      mapped.verify();
    }
  }

  /** Everything that this virtual machine runs, be it on the module path or on the class path. */
  private static String classPath() throws Exception {
    String name = OtherProcess.class.getName().replace('.', '/') + ".class";
    URL url = Objects.requireNonNull(OtherProcess.class.getResource("/" + name));
    Path tests = Path.of(url.toURI());
    for (int i = 0; i < Path.of(name).getNameCount(); i++) {
      tests = Objects.requireNonNull(tests.getParent());
    }
    return String.join(
        File.pathSeparator,
        tests.toString(),
        System.getProperty("jdk.module.path", ""),
        System.getProperty("java.class.path", ""));
  }

  /** What the other virtual machine runs. */
  static final class OtherProcess {

    private OtherProcess() {}

    public static void main(String[] arguments) throws IOException {
      try (MappedFilter<Long> mapped =
          ClassicBloomFilter.openMapped(Path.of(arguments[0]), LONGS)) {
        mapped.verify();
        long[] hashes = new SplittableRandom(1).longs(2000).toArray();
        System.out.println(mapped.mightContainHashes(hashes, 0, hashes.length, new boolean[2000]));
      }
    }
  }
}
