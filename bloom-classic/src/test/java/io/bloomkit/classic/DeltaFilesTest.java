package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.format.Delta;
import io.bloomkit.formattests.DeltaFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.SectionRole;
import io.bloomkit.internal.format.Variant;
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
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(9585, 7)).build();
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
            "08aa9c688db52cee8f413437441d8b614de1fc2617e1b366aa05177fa4296163",
            classic(1000),
            classic(1000)),
        new GoldenDelta(
            "delta-one.bloom",
            "9b6e5a33677819c4586228bdaa7826909a8f89f21e572b65abc86caf39ec1495",
            classic(999),
            classic(1000)),
        new GoldenDelta(
            "delta-classic.bloom",
            "be83189713403349c441410159a5eee8e93a901d4e67ee8619f8817927ed3985",
            classic(500),
            classic(520)),
        new GoldenDelta(
            "delta-blocked.bloom",
            "dd76ab24205d3d5cb8b7c0c2ff574eaad1af54b96cf021d21846a3d33cf2ae35",
            blocked(0),
            blocked(30)),
        new GoldenDelta(
            "delta-inverted.bloom", // more than half of the bits change
            "9bb88f64a223b89e6697a9c1fb725db182674e55ef7c6ae8ae3a99224f71b558",
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
    return FilterContents.of(Variant.DELTA.code(), StrategyIdentity.of(LONGS), variant, 0, 0, 0)
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
    assertTrue(
        String.valueOf(e.getMessage()).contains("this is a delta, not a filter"), e.getMessage());
    byte[] filter = classic(1).toBytes();
    assertThrows(FilterFormatException.class, () -> Delta.fromBytes(filter));
  }
}
