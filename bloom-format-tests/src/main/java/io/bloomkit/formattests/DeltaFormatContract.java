package io.bloomkit.formattests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.Delta;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.internal.format.ContentsDelta;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests the file format of {@link Delta}s, and tests applying deltas to filters. A delta is the
 * difference between two versions of a filter. A golden file is a delta that was stored once. Every
 * later release must read this file, and must write the same bytes for the same delta. {@link
 * FileFormatContract} describes where the golden files are and how to create them.
 */
public interface DeltaFormatContract {

  /**
   * A golden file that contains a delta from {@code base} to {@code changed}.
   *
   * @param name the name of the file
   * @param sha256 the SHA-256 of the file, in lower-case hexadecimal digits
   * @param base a new filter, to which the delta is applied
   * @param changed a new filter of the same {@linkplain io.bloomkit.internal.format.Variant
   *     variant} with the contents that result from applying the delta to {@code base}
   */
  record GoldenDelta(
      String name, String sha256, StorableFilter<?> base, StorableFilter<?> changed) {

    Delta made() {
      return Delta.between(base, changed);
    }
  }

  /**
   * Returns the golden deltas: at least one for each {@linkplain
   * io.bloomkit.internal.format.Variant variant} of filters to test, and one for each special case
   * in the format of that variant, such as overflowed counters.
   */
  List<GoldenDelta> goldenDeltas();

  @Test
  default void goldenDeltasAreTheOldOnes() throws IOException {
    for (GoldenDelta golden : goldenDeltas()) {
      assertEquals(golden.sha256(), GoldenBytes.sha256(bytesOf(golden)), golden.name());
    }
  }

  @Test
  default void deltasAreWrittenAsTheyAlwaysWere() throws IOException {
    for (GoldenDelta golden : goldenDeltas()) {
      assertArrayEquals(bytesOf(golden), golden.made().toBytes(), golden.name());
    }
  }

  @Test
  default void goldenDeltasAreReadAndWrittenBackAndLeadWhereTheyShould() throws IOException {
    for (GoldenDelta golden : goldenDeltas()) {
      FileChecks.isReadAndWrittenBack(bytesOf(golden), Delta::readFrom, Delta::toBytes);
      byte[] before = golden.base().toBytes();
      byte[] result = resultOf(Delta.fromBytes(bytesOf(golden)), golden).toBytes();
      assertArrayEquals(golden.changed().toBytes(), result, golden.name());
      assertArrayEquals(before, golden.base().toBytes(), "the base was changed");
    }
  }

  @Test
  default void noTruncationOfADeltaIsRead() throws IOException {
    for (GoldenDelta golden : goldenDeltas()) {
      FileChecks.noTruncationIsRead(bytesOf(golden), Delta::readFrom);
    }
  }

  /**
   * Tests that the shortest golden delta is rejected if any one of its bits is flipped. {@link
   * #noFlippedBitOfAnyDeltaIsRead} tests all golden deltas.
   */
  @Test
  default void noFlippedBitOfADeltaIsRead() throws IOException {
    FileChecks.noFlippedBitIsRead(bytesOf(shortestDelta()), Delta::readFrom);
  }

  @Test
  @Tag("deep")
  default void noFlippedBitOfAnyDeltaIsRead() throws IOException {
    for (GoldenDelta golden : goldenDeltas()) {
      FileChecks.noFlippedBitIsRead(bytesOf(golden), Delta::readFrom);
    }
  }

  @Test
  default void nothingMayFollowADeltaInAnArray() throws IOException {
    for (GoldenDelta golden : goldenDeltas()) {
      byte[] file = bytesOf(golden);
      byte[] longer = Arrays.copyOf(file, file.length + 1);
      assertThrows(FilterFormatException.class, () -> Delta.fromBytes(longer), golden.name());
    }
  }

  @Test
  default void noOtherSectionsOfADeltaAreRead() throws IOException {
    for (GoldenDelta golden : goldenDeltas()) {
      FileChecks.noOtherSectionsAreRead(bytesOf(golden), Delta::readFrom);
    }
  }

  @Test
  @Tag("deep")
  default void readerOfDeltasTakesNoMoreMemoryThanItMay() throws IOException {
    for (GoldenDelta golden : goldenDeltas()) {
      // The first time without measuring, to load the classes that format messages.
      FileChecks.forgedFilesAreRefusedOrSound(bytesOf(golden), Delta::readFrom, Delta::toBytes);
      FileChecks.readerTakesNoMoreMemoryThanItMay(bytesOf(golden), Delta::readFrom);
    }
  }

  /**
   * Tests forged deltas: copies of the shortest golden delta that were changed and then given
   * correct checksums. A forged delta must be rejected when it is read or applied, or must give the
   * result of the golden delta. {@link #anyForgedDeltaIsRefusedOrLeadsWhereItShould} tests forged
   * copies of all golden deltas.
   */
  @Test
  default void forgedDeltasAreRefusedOrLeadWhereTheyShould() throws IOException {
    assertForgeriesAreRefusedOrSound(shortestDelta());
  }

  @Test
  @Tag("deep")
  default void anyForgedDeltaIsRefusedOrLeadsWhereItShould() throws IOException {
    for (GoldenDelta golden : goldenDeltas()) {
      assertForgeriesAreRefusedOrSound(golden);
    }
  }

  private void assertForgeriesAreRefusedOrSound(GoldenDelta golden) throws IOException {
    byte[] before = golden.base().toBytes();
    int read =
        FileChecks.forgedFilesAreRefusedOrSound(
            bytesOf(golden),
            in -> {
              Delta delta = Delta.readFrom(in);
              applyForged(delta, golden);
              return delta;
            },
            Delta::toBytes);
    assertTrue(read > 0, "no forgery was good enough to be applied");
    assertArrayEquals(before, golden.base().toBytes(), "the base was changed");
  }

  private GoldenDelta shortestDelta() throws IOException {
    GoldenDelta shortest = goldenDeltas().get(0);
    for (GoldenDelta golden : goldenDeltas()) {
      shortest = bytesOf(golden).length < bytesOf(shortest).length ? golden : shortest;
    }
    return shortest;
  }

  private static FilterContents resultOf(Delta delta, GoldenDelta golden)
      throws FilterFormatException {
    return FilterReader.fromBytes(delta.toBytes(), ContentsDelta::read)
        .apply(FilterContents.of(golden.base()));
  }

  private static void applyForged(Delta delta, GoldenDelta golden) throws FilterFormatException {
    try {
      assertEquals(
          FilterContents.of(golden.changed()).fingerprint(), resultOf(delta, golden).fingerprint());
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      assertTrue(message.startsWith("the delta leads a "), message);
    }
  }

  private byte[] bytesOf(GoldenDelta golden) throws IOException {
    return GoldenBytes.of(getClass(), golden.name(), () -> golden.made().toBytes());
  }
}
