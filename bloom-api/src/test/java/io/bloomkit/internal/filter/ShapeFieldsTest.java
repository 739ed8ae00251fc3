package io.bloomkit.internal.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ShapeFieldsTest {

  private static final int MINE = 0x8001;
  private static final StrategyIdentity LONGS = StrategyIdentity.of(HashStrategies.longs());

  private interface Fields {
    Shape read(FilterReader reader) throws IOException;
  }

  private static Shape read(Fields fields, long... values) throws FilterFormatException {
    byte[] file = FilterContents.of(MINE, LONGS, values).build().toBytes();
    return FilterReader.fromBytes(
        file,
        reader -> {
          reader.require(MINE, LONGS, values.length);
          return fields.read(reader);
        });
  }

  private static void assertRefused(String fault, Fields fields, long... values) {
    String message =
        String.valueOf(
            assertThrows(FilterFormatException.class, () -> read(fields, values)).getMessage());
    assertTrue(message.contains(fault), message);
  }

  @Test
  void flatShapesHavePositionsAndHashes() throws IOException {
    Fields flat = reader -> ShapeFields.readFlat(reader, 1000);
    assertEquals(new FlatShape(1000, 64), read(flat, 1000, 64));
    assertEquals(new FlatShape(1, 1), read(flat, 1, 1));
    assertRefused("positions must be in [1, 1000], got 1001", flat, 1001, 1);
    assertRefused("positions must be in [1, 1000], got 0", flat, 0, 1);
    assertRefused("hashes must be in [1, 64], got 65", flat, 1, 65);
    assertRefused("hashes must be in [1, 64], got 0", flat, 1, 0);
  }

  @Test
  void blockedShapesHaveBlocksAndHashes() throws IOException {
    Fields blocked = reader -> ShapeFields.readBlocked(reader, 128, 1, 1280);
    assertEquals(new BlockedShape(10, 128, 16), read(blocked, 10, 16));
    assertEquals(new BlockedShape(2, 128, 2), read(blocked, 2, 2));
    assertRefused("blocks must be in [2, 10], got 12", blocked, 12, 2);
    assertRefused("blocks must be in [2, 10], got 0", blocked, 0, 2);
    assertRefused("blocks must be even, got 3", blocked, 3, 2);
    assertRefused("hashes must be even, got 3", blocked, 2, 3);
    assertRefused("hashes must be in [2, 16], got 18", blocked, 2, 18);
    assertRefused("hashes must be in [2, 16], got 0", blocked, 2, 0);
    Fields max = reader -> ShapeFields.readBlocked(reader, 128, 1, Long.MAX_VALUE);
    assertRefused(
        "blocks must be in [2, " + BlockedShape.MAX_BLOCKS + "]",
        max,
        BlockedShape.MAX_BLOCKS + 2,
        2);
  }
}
