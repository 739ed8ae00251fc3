package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;
import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.SectionRole;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.testkit.file.DeltaFormatContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeltaFilesTest implements DeltaFormatContract {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  @TempDir private Path directory;

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

  @Override
  public List<GoldenDelta> goldenDeltas() {
    return List.of(
        new GoldenDelta(
            "delta-nothing.bloom",
            "d23e0012761954e54ba4caaa02c9d0bf37562b4a4bae869041ea8d2fd9445168",
            classic(1000),
            classic(1000)),
        new GoldenDelta(
            "delta-one.bloom",
            "75bf0a6322ea04c8d0a2ee90d202056e847d562cca3972cf97c00d50d91c80dc",
            classic(999),
            classic(1000)),
        new GoldenDelta(
            "delta-classic.bloom",
            "74c2beb3a105e1b4ee56ef1b62071a6a338c3e15947c6ac1589ef0633c2d1d5d",
            classic(500),
            classic(520)),
        new GoldenDelta(
            "delta-blocked.bloom",
            "c7a042189104d6e66ca26b354dda75719cf80544981e537cea3d693f3364d63b",
            blocked(0),
            blocked(30)),
        new GoldenDelta(
            "delta-inverted.bloom", // more than half of the bits change
            "675fc68756ac83167ceff2934cfc0f1900821b6a9493d6cc5e816733b68b0075",
            classic(0),
            classic(2500)));
  }

  @Test
  void deltaIsReadFromAFileThatHoldsNothingElse() throws IOException {
    Delta delta = Delta.between(classic(10), classic(12));
    Path file = directory.resolve("delta");
    delta.writeTo(file);
    assertArrayEquals(delta.toBytes(), Files.readAllBytes(file));
    assertArrayEquals(delta.toBytes(), Delta.readFrom(file).toBytes());
    Files.write(file, new byte[1], StandardOpenOption.APPEND);
    assertThrows(FilterFormatException.class, () -> Delta.readFrom(file));
  }

  @Test
  void tableThatMeansNothingIsRefused() throws FilterFormatException {
    assertForgedIsRefused(256, "lead to a delta", 0);
    assertForgedIsRefused(1, "do not hold", 1);
    assertForgedIsRefused(1, "do not hold", 0, 0);
    long[] manyFields = new long[66];
    manyFields[0] = 65;
    assertForgedIsRefused(1, "do not hold 65 fields", manyFields);
    assertForgedIsRefused(1, "section 0 has 1 changes", 0, 1, 1, 1, 0);
    assertForgedIsRefused(1, "row 0", 0, 7, 1, 0, 0); // changes of changes
    assertForgedIsRefused(1, "row 0", 0, 1, 1, 65, 0); // more changes than bits
    assertForgedIsRefused(1, "row 0", 0, 1, (1L << 34) + 1, 0, 0);
    assertForgedIsRefused(1, "row 0", 0, 1, -1, 0, 0);
    assertForgedIsRefused(1, "row 0", 0, 1, 1, -1, 0);
    assertForgedIsRefused(1, "row 0", 0, 1, 1, 0, -1);
    assertForgedIsRefused(1, "row 0", 0, 1, 1, 0, 1L << 32);
    assertForgedIsRefused(1, "row 0", 0, 1 | 7 << 16, 1, 0, 0);
    assertForgedIsRefused(1, "row 0", 0, 1 | 41 << 24, 1, 0, 0);
    assertEquals(0, Delta.fromBytes(forged(1, 0, 1, 1, 0, 0)).baseFingerprint());
  }

  private static byte[] forged(long variant, long... table) {
    return FilterContents.of(FilterVariant.DELTA, StrategyIdentity.of(LONGS), variant, 0, 0, 0)
        .section(SectionRole.TABLE, table)
        .section(SectionRole.CHANGES)
        .build()
        .toBytes();
  }

  private static void assertForgedIsRefused(long variant, String fault, long... table) {
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> Delta.fromBytes(forged(variant, table)));
    assertTrue(String.valueOf(e.getMessage()).contains(fault), e.getMessage());
  }

  @Test
  void filterIsNoDeltaAndDeltaNoFilter() {
    byte[] delta = Delta.between(classic(10), classic(12)).toBytes();
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> ClassicBloomFilter.fromBytes(delta, LONGS));
    assertTrue(String.valueOf(e.getMessage()).contains("this is a Delta"), e.getMessage());
    byte[] filter = classic(1).toBytes();
    assertThrows(FilterFormatException.class, () -> Delta.fromBytes(filter));
  }
}
