package io.bloomkit.internal.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.BlockedShape;
import org.junit.jupiter.api.Test;

class BlockedLimitTest {

  @Test
  void shapesOfManyTimesTheFlatSizeAreRefusedUnlessTheyAreSmall() {
    BlockedShape usual = BlockedShape.ofBits(1_000_000, 0.01);
    assertSame(usual, BlockedLimit.require(usual, 1_000_000, 0.01, "Flat"));
    BlockedShape ofOne = BlockedShape.ofCounters(1, 0.01);
    assertSame(ofOne, BlockedLimit.require(ofOne, 1, 0.01, "Flat"));
    BlockedShape large = BlockedShape.ofCounters(10_000, 1e-8);
    assertEquals(
        "expectedInsertions = 10000 at fpp = 1.0E-8 would take "
            + large.positions()
            + " positions in blocks, "
            + large.positions() / 383_406
            + " times as many as without: use a Flat or allow a higher fpp",
        assertThrows(
                IllegalArgumentException.class,
                () -> BlockedLimit.require(large, 10_000, 1e-8, "Flat"))
            .getMessage());
  }
}
