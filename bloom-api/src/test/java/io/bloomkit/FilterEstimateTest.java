package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterEstimate.Value;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Estimates from given words: values by the formulas, standard errors by the delta method. */
class FilterEstimateTest {

  private static final int HASHES = 7;
  private static final double EXACT = 0;

  /** Words of which some half of the positions are set. */
  private static int[] setPositions(int words, int positionsPerWord) {
    SplittableRandom random = new SplittableRandom(20);
    return random.ints(words, positionsPerWord / 4, 3 * positionsPerWord / 4).toArray();
  }

  private static void assertClose(double expected, double actual) {
    assertEquals(expected, actual, Math.abs(expected) * 1e-12);
  }

  @Test
  void allLinesGiveTheValuesOfTheFormulas() {
    int[] words = setPositions(104, Long.SIZE);
    words[103] = 3;
    long positions = 103 * Long.SIZE + 63; // the last word lacks one
    long set = 0;
    for (int word : words) {
      set += word;
    }
    FilterEstimate estimate =
        FilterEstimate.ofFlat(positions, HASHES, Long.SIZE, i -> words[(int) i], 13);
    assertEquals(Value.exact((double) set / positions), estimate.fill());
    assertEquals(Value.exact(BloomFormulas.fppAtFill(set, positions, HASHES)), estimate.fpp());
    assertEquals(
        Value.exact(BloomFormulas.estimatedElements(set, positions, HASHES)), estimate.elements());
  }

  @Test
  void errorOfASampleFollowsFromThatOfTheFill() {
    int[] words = setPositions(8000, Long.SIZE);
    long positions = 8000L * Long.SIZE;
    FilterEstimate estimate =
        FilterEstimate.ofFlat(positions, HASHES, Long.SIZE, i -> words[(int) i], 100);
    double fill = estimate.fill().value();
    double error = estimate.fill().standardError();
    assertTrue(error > 0 && error < 0.1, "error " + error);
    assertClose(HASHES * Math.pow(fill, HASHES - 1) * error, estimate.fpp().standardError());
    // The derivative of −m/k · ln(1 − fill) is m/k / (1 − fill); the value is from a whole number.
    assertEquals(
        positions / (double) HASHES / (1 - fill) * error,
        estimate.elements().standardError(),
        1e-4 * estimate.elements().standardError());
  }

  @Test
  void oneLineOfSeveralSaysNothingOfTheError() {
    FilterEstimate estimate = FilterEstimate.ofFlat(1 << 20, HASHES, Long.SIZE, i -> 32, 1);
    assertEquals(new Value(0.5, Double.POSITIVE_INFINITY), estimate.fill());
    assertEquals(Double.POSITIVE_INFINITY, estimate.fpp().standardError());
    assertEquals(Double.POSITIVE_INFINITY, estimate.elements().standardError());
  }

  @Test
  void emptyFilterHasNoElements() {
    FilterEstimate estimate = FilterEstimate.ofFlat(1 << 20, HASHES, Long.SIZE, i -> 0, 10);
    assertEquals(Value.exact(0), estimate.fill());
    assertEquals(Value.exact(0), estimate.fpp());
    assertEquals(Value.exact(0), estimate.elements());
  }

  @Test
  void allBlocksGiveTheValuesOfTheState() {
    BlockedShape shape = BlockedShape.ofBits(5_000, 0.01);
    int[] words = setPositions((int) shape.blocks() * 8, shape.positionsPerWord());
    BlockedStateFpp state = new BlockedStateFpp(shape);
    long set = 0;
    for (int word : words) {
      state.addWord(word);
      set += word;
    }
    FilterEstimate estimate =
        FilterEstimate.ofBlocks(shape, 1, i -> words[(int) i], Integer.MAX_VALUE);
    assertClose(state.fpp(), estimate.fpp().value());
    assertEquals(EXACT, estimate.fpp().standardError());
    assertEquals(Value.exact((double) set / shape.positions()), estimate.fill());
    assertEquals(
        BlockedFormulas.estimatedElements(
            set, shape.blocks(), shape.positionsPerBlock(), shape.hashes()),
        estimate.elements().value());
  }

  @Test
  void someBlocksGiveAnErrorOfEachValue() {
    BlockedShape shape = BlockedShape.ofBits(500_000, 0.01);
    int[] words = setPositions((int) shape.blocks() * 8, shape.positionsPerWord());
    FilterEstimate estimate = FilterEstimate.ofBlocks(shape, 1, i -> words[(int) i], 50);
    for (Value value : List.of(estimate.fpp(), estimate.fill(), estimate.elements())) {
      assertTrue(value.standardError() > 0, "error " + value);
      assertTrue(value.standardError() < value.value(), "error " + value);
    }
  }

  @Test
  void layersAreCombined() {
    // Any layer makes a query positive; fills weigh by bytes; independent errors add in squares.
    Layer small = new Layer(1 << 10, new Value(0.01, 0), new Value(0.5, 0), new Value(100, 0));
    Layer large =
        new Layer(3 << 20, new Value(0.02, 0.001), new Value(0.25, 0.01), new Value(900, 12));
    FilterEstimate estimate = FilterEstimate.ofLayers(List.of(small, large), 1000);
    assertClose(1 - 0.99 * 0.98, estimate.fpp().value());
    assertClose(0.001 * 0.99, estimate.fpp().standardError());
    double bytes = (1 << 10) + (3 << 20);
    assertClose(((1 << 10) * 0.5 + (3 << 20) * 0.25) / bytes, estimate.fill().value());
    assertClose((3 << 20) * 0.01 / bytes, estimate.fill().standardError());
    assertEquals(new Value(1000, 12), estimate.elements());
    assertEquals(List.of(500), small.lines);
    assertEquals(List.of(1000 - 17), large.lines, "what the small layer leaves");
  }

  /** A full layer makes every query positive, but a single line does not show that it is full. */
  @Test
  void noErrorOfLayersIsNaN() {
    Value full = new Value(1, Double.POSITIVE_INFINITY);
    Value half = new Value(0.5, Double.POSITIVE_INFINITY);
    assertEquals(full, fppOfLayers(full));
    assertEquals(full, fppOfLayers(full, full));
    assertEquals(full, fppOfLayers(half, full, half));
    assertEquals(full, fppOfLayers(full, new Value(0.5, 0.1)));
    assertEquals(Value.exact(1), fppOfLayers(half, full, Value.exact(1)));
    assertEquals(Value.exact(1), fppOfLayers(new Value(1, 0.1), new Value(1, 0.1)));
    assertEquals(new Value(1, 0.05), fppOfLayers(new Value(0.5, 0.2), new Value(1, 0.1)));
  }

  private static Value fppOfLayers(Value... fpps) {
    Value half = Value.exact(0.5);
    List<Layer> layers = Arrays.stream(fpps).map(fpp -> new Layer(64, fpp, half, half)).toList();
    return FilterEstimate.ofLayers(layers, 1).fpp();
  }

  @Test
  void filterThatKnowsNoSampleSaysWhatItKnows() {
    Layer layer = new Layer(64, new Value(0.01, 5), new Value(0.5, 5), new Value(100, 5));
    FilterEstimate estimate = FilterEstimate.ofWhole(layer, Double.NaN, 1);
    assertEquals(Value.exact(0.01), estimate.fpp());
    assertEquals(Value.exact(Double.NaN), estimate.fill());
    assertEquals(Value.exact(100), estimate.elements());
    Layer full =
        new Layer(64, new Value(1, 0), new Value(1, 0), new Value(Double.POSITIVE_INFINITY, 0));
    assertEquals(
        Value.exact(Double.POSITIVE_INFINITY),
        FilterEstimate.ofWhole(full, Double.NaN, 1).elements());
  }

  @Test
  void impossibleSampleIsRefusedByNameAndValue() {
    Layer layer = new Layer(64, new Value(0, 0), new Value(0, 0), new Value(0, 0));
    for (int lines : new int[] {0, -1, Integer.MIN_VALUE}) {
      String message = "lines must be at least 1, got " + lines;
      for (Exception e :
          List.of(
              refused(() -> FilterEstimate.ofFlat(64, HASHES, Long.SIZE, i -> 0, lines)),
              refused(
                  () -> FilterEstimate.ofBlocks(BlockedShape.ofBits(100, 0.01), 1, i -> 0, lines)),
              refused(() -> FilterEstimate.ofLayers(List.of(layer), lines)),
              refused(() -> FilterEstimate.ofWhole(layer, 0, lines)))) {
        assertEquals(message, e.getMessage());
      }
    }
    assertEquals(
        "positionsPerWord must be at least 1, got 0",
        refused(() -> FilterEstimate.ofFlat(64, HASHES, 0, i -> 0, 1)).getMessage());
    assertEquals(
        "positions must be at least 1, got -999",
        refused(() -> FilterEstimate.ofFlat(-999, HASHES, 64, i -> 0, 1)).getMessage());
  }

  private static Exception refused(Runnable estimate) {
    return assertThrows(IllegalArgumentException.class, estimate::run);
  }

  /** A filter of given values that remembers how many lines it was told to read. */
  private static final class Layer implements MembershipFilter<Long> {

    private final long bytes;
    private final FilterEstimate given;
    final List<Integer> lines = new ArrayList<>();

    Layer(long bytes, Value fpp, Value fill, Value elements) {
      this.bytes = bytes;
      this.given = new FilterEstimate(fpp, fill, elements);
    }

    @Override
    public FilterEstimate estimate(int max) {
      lines.add(max);
      return given;
    }

    @Override
    public boolean mightContainHash(long hash) {
      return false;
    }

    @Override
    public double expectedFpp() {
      return given.fpp().value();
    }

    @Override
    public long approximateElementCount() {
      return (long) Math.min(Long.MAX_VALUE, given.elements().value());
    }

    @Override
    public long memoryBytes() {
      return bytes;
    }

    @Override
    public HashStrategy<? super Long> strategy() {
      return HashStrategies.longs();
    }
  }

  @Test
  void blocksOfAnotherLayoutHaveTheMeanOfTheirRates() {
    FilterEstimate whole =
        FilterEstimate.ofBlocks(
            4, 2, 256, block -> (int) block * 32, block -> block / 8.0, fill -> 1000 * fill, 9);
    assertEquals(FilterEstimate.Value.exact(1.5 / 8), whole.fpp());
    assertEquals(FilterEstimate.Value.exact(48.0 / 256), whole.fill());
    assertEquals(FilterEstimate.Value.exact(187.5), whole.elements());

    FilterEstimate sample =
        FilterEstimate.ofBlocks(
            4, 1, 256, block -> (int) block * 32, block -> block / 8.0, fill -> 1000 * fill, 2);
    assertTrue(sample.fpp().standardError() > 0 && sample.elements().standardError() > 0);
    assertTrue(sample.fpp().standardError() < 1, "of two units, not of one");
    assertEquals(1000 * sample.fill().value(), sample.elements().value());
  }
}
