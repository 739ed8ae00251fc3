package io.bloomkit.internal.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.FlatShape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What builders of sized filters have in common. */
class BuilderOptionsTest {

  private static final FlatShape SHAPE = new FlatShape(128, 7);
  private static final FilterPlan PLAN = new FilterPlan(10, 0.01);

  private final Object builder = new Object();
  private final BuilderOptions<Long, FlatShape, Object> options =
      new BuilderOptions<>(builder, HashStrategies.longs(), "expecting(...)");

  @Test
  void nothingIsSetAtFirst() {
    assertEquals(Optional.empty(), options.plan());
    assertFalse(options.isConcurrent());
    IllegalStateException e = assertThrows(IllegalStateException.class, options::requireSize);
    assertEquals("the filter has no size: call expecting(...) first", e.getMessage());
  }

  @Test
  void strategyIsIdentified() {
    assertSame(HashStrategies.longs(), options.strategy());
    assertEquals(StrategyIdentity.of(HashStrategies.longs()), options.strategyIdentity());
  }

  @Test
  void theLastCallOfAnOptionCounts() {
    assertSame(builder, options.setSize(new FlatShape(64, 1), new FilterPlan(1, 0.5)));
    assertSame(builder, options.setSize(SHAPE, PLAN));
    assertEquals(SHAPE, options.requireSize());
    assertEquals(Optional.of(PLAN), options.plan());
    assertSame(builder, options.setConcurrent());
    assertTrue(options.isConcurrent());
  }

  @Test
  void aShapeKeepsThePlan() {
    assertSame(builder, options.setShape(new FlatShape(64, 1)));
    assertEquals(Optional.empty(), options.plan());
    assertSame(builder, options.setPlan(PLAN));
    assertSame(builder, options.setShape(SHAPE));
    assertEquals(SHAPE, options.requireSize());
    assertEquals(Optional.of(PLAN), options.plan());
  }

  @Test
  void aShapeAndAnExpectationRefuseEachOther() {
    options.setSize(SHAPE, PLAN);
    assertRefused("expecting(...) has set", () -> options.setShape(SHAPE));
    assertRefused("expecting(...) has set", () -> options.setPlan(PLAN));
    assertEquals(Optional.of(PLAN), options.plan());
    BuilderOptions<Long, FlatShape, Object> other =
        new BuilderOptions<>(builder, HashStrategies.longs(), "expecting(...)");
    other.setPlan(PLAN);
    assertRefused("plan(...) was called", () -> other.setSize(SHAPE, PLAN));
    other.setShape(SHAPE);
    assertRefused("shape(...) or", () -> other.setSize(new FlatShape(64, 1), PLAN));
    assertEquals(SHAPE, other.requireSize());
  }

  private static void assertRefused(String words, Executable call) {
    String message = String.valueOf(assertThrows(IllegalStateException.class, call).getMessage());
    assertTrue(message.contains(words), message);
  }

  @Test
  void sizeOfAFileMustBeTheOneThatWasSet() throws FilterFormatException {
    int variant = 0x8001;
    byte[] file = FilterContents.of(variant, options.strategyIdentity(), 128, 7).build().toBytes();
    FlatShape other = new FlatShape(64, 1);
    FilterReader.fromBytes(
        file,
        reader -> {
          reader.require(variant, options.strategyIdentity(), 2);
          assertEquals(other, options.requireSame(reader, other), "any size");
          options.setShape(SHAPE);
          assertEquals(SHAPE, options.requireSame(reader, SHAPE));
          FilterFormatException e =
              assertThrows(FilterFormatException.class, () -> options.requireSame(reader, other));
          assertTrue(
              String.valueOf(e.getMessage())
                  .contains(
                      "the filter has 64 positions and 1 hashes, the builder asks for 128 positions"
                          + " and 7 hashes: build it with what it has"),
              e.getMessage());
          return builder;
        });
  }

  @Test
  void aFileIsRefusedByItsPlanIfOnlyThatIsAnother() throws FilterFormatException {
    options.setSize(SHAPE, PLAN);
    String shapes =
        "has 64 positions and 1 hashes, the builder asks for 128 positions and 7 hashes";
    assertRefused(Optional.empty(), shapes);
    assertRefused(Optional.of(PLAN), shapes);
    assertRefused(
        Optional.of(new FilterPlan(20, 0.1)),
        "has expected number 20 and rate 0.1, the builder asks for expected number 10 and rate 0.01");
  }

  private void assertRefused(Optional<FilterPlan> plan, String fault) throws FilterFormatException {
    byte[] file =
        FilterContents.of(0x8001, options.strategyIdentity(), 64, 1).plan(plan).build().toBytes();
    FilterReader.fromBytes(
        file,
        reader -> {
          FilterFormatException e =
              assertThrows(
                  FilterFormatException.class,
                  () -> options.requireSame(reader, new FlatShape(64, 1)));
          assertTrue(String.valueOf(e.getMessage()).contains(fault), e.getMessage());
          return builder;
        });
  }

  @Test
  void filtersOfAnotherShapeOrStrategyDoNotMerge() {
    StrategyIdentity longs = options.strategyIdentity();
    MergeKey key = new MergeKey("4 blocks", longs);
    key.requireEqual(new MergeKey("4 blocks", longs), "merge", Optional.empty(), Optional.empty());
    MergeKey larger = new MergeKey("5 blocks", longs);
    assertMessage(
        "cannot merge: this filter has 4 blocks, other has 5 blocks; build both with the same"
            + " expected number and rate",
        () -> key.requireEqual(larger, "merge", Optional.of(PLAN), Optional.empty()));
    MergeKey texts = new MergeKey("4 blocks", StrategyIdentity.of(HashStrategies.utf8()));
    assertMessage(
        "cannot merge: this filter has the strategy "
            + longs
            + ", other has "
            + texts.strategy()
            + "; build both with one strategy",
        () -> key.requireEqual(texts, "merge", Optional.of(PLAN), Optional.of(PLAN)));
    MergeKey otherLongs =
        new MergeKey("4 blocks", new StrategyIdentity(longs.id(), longs.fingerprint() + 1));
    assertMessage(
        "cannot merge: this filter has the strategy "
            + longs
            + ", other has "
            + otherLongs.strategy()
            + "; build both with one strategy: the ids agree but not the fingerprints, so the"
            + " function, a probe or the secret key is another one",
        () -> key.requireEqual(otherLongs, "merge", Optional.empty(), Optional.empty()));
  }

  private static void assertMessage(String message, Executable refused) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, refused).getMessage());
  }
}
