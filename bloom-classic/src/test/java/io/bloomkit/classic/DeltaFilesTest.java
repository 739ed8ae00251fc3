package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.Delta;
import io.bloomkit.FilterFormatException;
import io.bloomkit.HashStrategies;
import io.bloomkit.LongHashStrategy;
import io.bloomkit.Shape;
import io.bloomkit.StorableFilter;
import io.bloomkit.testkit.FileChecks;
import io.bloomkit.testkit.FileFormatContract;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deltas as files: golden ones, made once, and everything near them. */
class DeltaFilesTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  @TempDir private Path directory;

  /** A golden delta, and the two filters that it lies between. */
  private record Golden(
      String name, String sha256, StorableFilter<?> base, StorableFilter<?> next) {

    Delta made() {
      return Delta.between(base, next);
    }

    byte[] bytes() throws IOException {
      try (InputStream in =
          DeltaFilesTest.class.getResourceAsStream(FileFormatContract.FOLDER + name)) {
        if (in != null) {
          return in.readAllBytes();
        }
      }
      String folder = System.getProperty(FileFormatContract.WRITE_TO);
      if (folder == null) {
        throw new AssertionError("there is no golden file " + name);
      }
      Files.write(Path.of(folder, name), made().toBytes());
      return made().toBytes();
    }
  }

  private static ClassicBloomFilter<Long> classic(long elements) {
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(LONGS).shape(new Shape(9585, 7)).build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static BlockedBloomFilter<Long> blocked(long elements) {
    BlockedBloomFilter<Long> filter =
        BlockedBloomFilter.builder(LONGS).shape(new BlockedShape(20, 512, 6)).build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static List<Golden> goldenFiles() {
    return List.of(
        new Golden("delta-nothing.bloom", "SHA0", classic(1000), classic(1000)),
        new Golden("delta-one.bloom", "SHA1", classic(999), classic(1000)),
        new Golden("delta-classic.bloom", "SHA2", classic(500), classic(520)),
        new Golden("delta-blocked.bloom", "SHA3", blocked(0), blocked(30)));
  }

  @Test
  void goldenFilesAreTheOldOnes() throws Exception {
    for (Golden golden : goldenFiles()) {
      byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(golden.bytes());
      assertEquals(golden.sha256, HexFormat.of().formatHex(sha256), golden.name);
    }
  }

  @Test
  void deltasAreWrittenAsTheyAlwaysWere() throws IOException {
    for (Golden golden : goldenFiles()) {
      assertArrayEquals(golden.bytes(), golden.made().toBytes(), golden.name);
    }
  }

  @Test
  void goldenFilesAreReadAndWrittenBackAndLeadWhereTheyShould() throws IOException {
    for (Golden golden : goldenFiles()) {
      FileChecks.isReadAndWrittenBack(golden.bytes(), Delta::readFrom, Delta::toBytes);
      Delta read = Delta.fromBytes(golden.bytes());
      byte[] result = read.apply(golden.base.contents()).toBytes();
      assertArrayEquals(golden.next.toBytes(), result, golden.name);
    }
  }

  @Test
  void noTruncationIsRead() throws IOException {
    for (Golden golden : goldenFiles()) {
      FileChecks.noTruncationIsRead(golden.bytes(), Delta::readFrom);
    }
  }

  @Test
  void noFlippedBitIsRead() throws IOException {
    for (Golden golden : goldenFiles()) {
      FileChecks.noFlippedBitIsRead(golden.bytes(), Delta::readFrom);
    }
  }

  @Test
  void noOtherSectionsAreRead() throws IOException {
    for (Golden golden : goldenFiles()) {
      FileChecks.noOtherSectionsAreRead(golden.bytes(), Delta::readFrom);
    }
  }

  @Test
  void readerTakesNoMoreMemoryThanItMay() throws IOException {
    for (Golden golden : goldenFiles()) {
      FileChecks.readerTakesNoMoreMemoryThanItMay(golden.bytes(), Delta::readFrom);
    }
  }

  /** With right checksums, a delta is refused when it is read, or else when it is applied. */
  @Test
  void forgedDeltasAreRefusedOrSound() throws IOException {
    for (Golden golden : goldenFiles()) {
      byte[] before = golden.base.toBytes();
      FileChecks.Reader<Delta> readAndApply =
          in -> {
            Delta delta = Delta.readFrom(in);
            try {
              assertEquals(
                  golden.next.contents().fingerprint(),
                  delta.apply(golden.base.contents()).fingerprint());
            } catch (IllegalArgumentException e) {
              String message = String.valueOf(e.getMessage());
              assertTrue(message.startsWith("the delta leads a "), message);
            }
            return delta;
          };
      FileChecks.forgedFilesAreRefusedOrSound(golden.bytes(), readAndApply, Delta::toBytes);
      assertArrayEquals(before, golden.base.toBytes(), "the base was changed");
    }
  }

  @Test
  void nothingMayFollowInAnArrayOrAFile() throws IOException {
    byte[] bytes = classicDelta().toBytes();
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThrows(FilterFormatException.class, () -> Delta.fromBytes(longer));
    Path file = directory.resolve("delta");
    classicDelta().writeTo(file);
    assertArrayEquals(bytes, Files.readAllBytes(file));
    assertArrayEquals(bytes, Delta.readFrom(file).toBytes());
    Files.write(file, longer);
    assertThrows(FilterFormatException.class, () -> Delta.readFrom(file));
  }

  private static Delta classicDelta() {
    return Delta.between(classic(10), classic(12));
  }

  @Test
  void filterIsNoDeltaAndDeltaNoFilter() {
    FilterFormatException e =
        assertThrows(
            FilterFormatException.class,
            () -> ClassicBloomFilter.fromBytes(classicDelta().toBytes(), LONGS));
    assertTrue(String.valueOf(e.getMessage()).contains("this is a Delta"), e.getMessage());
    assertThrows(FilterFormatException.class, () -> Delta.fromBytes(classic(1).toBytes()));
  }
}
