package io.bloomkit.formattests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.internal.format.FilterContents;
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
 * Tests the file format of a {@link StorableFilter} with golden files. A golden file is a stored
 * file of a filter, created once with the first release of the format. Every later release must
 * read it, and must write the same bytes.
 *
 * <p>Golden files are in the folder {@value #FOLDER} of the test's resources. To create missing
 * golden files, set the system property {@value #WRITE_TO} to an existing folder. The tests then
 * write the missing files to that folder. Move these files to the resources, and copy the SHA-256
 * of each file into its {@link GoldenFile}. {@link #goldenFilesAreTheOldOnes} fails at the first
 * file whose SHA-256 is not the one in its {@link GoldenFile}; the message contains the SHA-256 of
 * the file. Without the property, tests of a missing file fail. Keep golden files to a few KiB,
 * since the tests flip every bit of them.
 *
 * @param <F> the type of the filter
 */
public interface FileFormatContract<F extends StorableFilter<?>> {

  /** The folder of golden files among the resources of the test. */
  String FOLDER = "/golden-files/";

  /** The system property that names the folder to which the tests write missing golden files. */
  String WRITE_TO = "bloomkit.golden.files";

  /**
   * A golden file.
   *
   * @param name the name of the file
   * @param sha256 the SHA-256 of the file, in lower-case hexadecimal digits
   * @param filter a new filter with the contents of the file
   * @param <F> the type of the filter
   */
  record GoldenFile<F>(String name, String sha256, F filter) {}

  /**
   * Returns the golden files: those of an empty filter, a filter with one element, a filter with
   * the planned number of elements, and a filter for each special case of the format, such as
   * overflowed counters.
   */
  List<GoldenFile<F>> goldenFiles();

  /**
   * Returns filters of a mebibyte or more each, to test how much memory the reader allocates. With
   * filters of this size, {@link FileChecks#MEMORY_AT_ONCE} is a small part of the {@linkplain
   * FileChecks#readerTakesNoMoreMemoryThanItMay memory bound}. Include an empty filter if it takes
   * a mebibyte of memory or more: its file is compressed most, so the reader allocates most per
   * byte of the file. For each array or table that the format has besides the main array, include a
   * filter that uses it.
   */
  List<F> largeFilters();

  /**
   * Reads a filter from a stream, and no byte after the filter.
   *
   * @throws IOException if the bytes are not a filter of this type; it is then a {@link
   *     FilterFormatException}
   */
  F readFrom(InputStream in) throws IOException;

  /**
   * Reads a filter from an array.
   *
   * @throws FilterFormatException if the array is not exactly one filter of this type. If bytes
   *     follow the filter, {@link FilterFormatException#offset} is the index of the first of them.
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
          FilterContents.of(golden.filter()).fingerprint(),
          FilterContents.of(read).fingerprint(),
          golden.name());
    }
  }

  @Test
  default void uncodedFilesAreReadToo() throws IOException {
    for (GoldenFile<F> golden : goldenFiles()) {
      byte[] uncoded = FilterContents.of(golden.filter()).uncoded().toBytes();
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

  /**
   * Tests that each of the two shortest golden files is rejected if any one of its bits is flipped.
   * {@link #noFlippedBitOfAnyFileIsRead} tests all golden files.
   */
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

  /**
   * Tests forged files: copies of the two shortest golden files that were changed and then given
   * correct checksums. Each must be rejected or read as a valid filter. {@link
   * #anyForgedFileIsRefusedOrSound} tests forged copies of all golden files.
   */
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
   * Tests how much memory the reader allocates for the two shortest golden files and for forged
   * copies of them. {@link #readerOfAnyFileTakesNoMoreMemoryThanItMay} tests all golden files.
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
