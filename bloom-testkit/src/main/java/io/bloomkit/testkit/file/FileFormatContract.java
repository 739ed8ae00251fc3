package io.bloomkit.testkit.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.StorableFilter;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Tests the file format of a {@link StorableFilter} with golden files. Create the golden files
 * once, with the first release of the format. Every later release must read and write the same
 * bytes.
 *
 * <p>Golden files are in the folder {@value #FOLDER} of the test's resources. To create missing
 * ones, set the system property {@value #WRITE_TO} to an existing folder. The tests then write the
 * files to it. Copy the SHA-256 of each file into its {@link GoldenFile}: {@link
 * #goldenFilesAreTheOldOnes} fails with the first one that differs. Without the property, tests of
 * a missing file fail. Keep golden files to a few KiB, since the tests flip every bit of them.
 *
 * @param <F> the type of the filter
 */
public interface FileFormatContract<F extends StorableFilter<?>> {

  /** The folder of golden files among the resources of the test. */
  String FOLDER = "/golden-files/";

  /** The system property that names the folder to write missing golden files to. */
  String WRITE_TO = "bloomkit.golden.files";

  /**
   * A golden file.
   *
   * @param name the name of the file
   * @param sha256 the SHA-256 of its bytes, in lower-case hexadecimal digits
   * @param filter a new filter with the contents of the file
   * @param <F> the type of the filter
   */
  record GoldenFile<F>(String name, String sha256, F filter) {}

  /**
   * Returns the golden files: an empty filter, a filter with one element, a filter with the planned
   * number of elements, and one for each further case of the format, such as overflowed counters.
   */
  List<GoldenFile<F>> goldenFiles();

  /**
   * Returns filters of a mebibyte or more each: an empty one, which is compressed most, and one for
   * each further array or table of the format. They test the memory of the reader: for files of
   * this size, the fixed part of the {@linkplain FileChecks#readerTakesNoMoreMemoryThanItMay bound}
   * is negligible.
   */
  List<F> largeFilters();

  /**
   * Reads a filter from a stream, and no byte beyond it.
   *
   * @throws IOException a {@link FilterFormatException} if the bytes are not such a filter
   */
  F readFrom(InputStream in) throws IOException;

  /**
   * Reads a filter from an array.
   *
   * @throws FilterFormatException if the array is not exactly one such filter; if bytes follow the
   *     filter, the offset of the exception is that of the first of these bytes
   */
  F fromBytes(byte[] bytes) throws FilterFormatException;

  @Test
  default void goldenFilesAreTheOldOnes() throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      assertEquals(golden.sha256(), GoldenBytes.sha256(bytesOf(golden)), golden.name());
    }
  }

  @Test
  default void filtersAreWrittenAsTheyAlwaysWere() throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      assertArrayEquals(bytesOf(golden), golden.filter().toBytes(), golden.name());
    }
  }

  @Test
  default void goldenFilesAreReadAndWrittenBack() throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      byte[] file = bytesOf(golden);
      FileChecks.isReadAndWrittenBack(file, this::readFrom, F::toBytes);
      F read = fromBytes(file);
      assertArrayEquals(file, read.toBytes());
      assertEquals(
          golden.filter().contents().fingerprint(), read.contents().fingerprint(), golden.name());
    }
  }

  @Test
  default void uncodedFilesAreReadToo() throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      byte[] uncoded = golden.filter().contents().uncoded().toBytes();
      assertArrayEquals(bytesOf(golden), fromBytes(uncoded).toBytes(), golden.name());
      FileChecks.noTruncationIsRead(uncoded, this::readFrom);
    }
  }

  @Test
  default void noTruncationIsRead() throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      FileChecks.noTruncationIsRead(bytesOf(golden), this::readFrom);
    }
  }

  /** Tests the two shortest golden files; {@link #noFlippedBitOfAnyFileIsRead} tests all. */
  @Test
  default void noFlippedBitIsRead() throws IOException {
    for (byte[] file : shortestFiles()) {
      FileChecks.noFlippedBitIsRead(file, this::readFrom);
    }
  }

  @Test
  @Tag("deep")
  default void noFlippedBitOfAnyFileIsRead() throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      FileChecks.noFlippedBitIsRead(bytesOf(golden), this::readFrom);
    }
  }

  @Test
  default void nothingMayFollowInAnArray() throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      byte[] file = bytesOf(golden);
      byte[] longer = Arrays.copyOf(file, file.length + 1);
      FilterFormatException e =
          assertThrows(FilterFormatException.class, () -> fromBytes(longer), golden.name());
      assertEquals(file.length, e.offset());
    }
  }

  @Test
  default void noOtherSectionsAreRead() throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      FileChecks.noOtherSectionsAreRead(bytesOf(golden), this::readFrom);
    }
  }

  /** Tests the two shortest golden files; {@link #anyForgedFileIsRefusedOrSound} tests all. */
  @Test
  default void forgedFilesAreRefusedOrSound() throws IOException {
    for (byte[] file : shortestFiles()) {
      FileChecks.forgedFilesAreRefusedOrSound(file, this::readFrom, F::toBytes);
    }
  }

  @Test
  @Tag("deep")
  default void anyForgedFileIsRefusedOrSound(TestReporter reporter) throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      int read =
          FileChecks.forgedFilesAreRefusedOrSound(bytesOf(golden), this::readFrom, F::toBytes);
      reporter.publishEntry("forgeries of " + golden.name() + " read", Integer.toString(read));
    }
  }

  /**
   * Tests the two shortest golden files; {@link #readerOfAnyFileTakesNoMoreMemoryThanItMay} tests
   * all.
   */
  @Test
  default void readerTakesNoMoreMemoryThanItMay() throws IOException {
    for (byte[] file : shortestFiles()) {
      FileChecks.readerTakesNoMoreMemoryThanItMay(file, this::readFrom);
    }
  }

  @Test
  @Tag("deep")
  default void readerOfAnyFileTakesNoMoreMemoryThanItMay() throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      FileChecks.readerTakesNoMoreMemoryThanItMay(bytesOf(golden), this::readFrom);
    }
  }

  @Test
  @Tag("deep")
  default void readerOfALargeFilterTakesNoMoreMemoryThanItMay() {
    for (F filter : largeFilters()) {
      FileChecks.readerTakesNoMoreMemoryForAGoodFile(filter.toBytes(), this::readFrom);
    }
  }

  private List<byte[]> shortestFiles() throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (GoldenFile<F> golden : goldenFiles()) {
      files.add(bytesOf(golden));
    }
    files.sort(Comparator.comparing(file -> file.length));
    return files.subList(0, Math.min(2, files.size()));
  }

  private byte[] bytesOf(GoldenFile<F> golden) throws IOException {
    return GoldenBytes.of(getClass(), golden.name(), golden.filter()::toBytes);
  }
}
