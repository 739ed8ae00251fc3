package io.bloomkit.cli.size;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.counting.CuckooSize;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a filter is made of, and what follows from that. */
public sealed interface Layout {

  /** Returns how many bits or counters there are in all layers, or null if there are none. */
  @Nullable Long positions();

  /** Returns how many of them an element takes in the newest layer, or null. */
  @Nullable Integer hashes();

  /** Returns how many layers there are; 1 in a filter that does not grow. */
  default int layerCount() {
    return 1;
  }

  /**
   * Returns the error to expect at a number of elements by the formula of the variant; that of the
   * first layer if there are several.
   */
  double fpp(long elements);

  /**
   * Returns the memory lines that operations touch in a filter of so many elements; those of the
   * first layer if there are several.
   */
  Lines lines(long elements);

  /** Returns what columns for positions and hashes do not say, or null. */
  @Nullable String note();

  /** Puts its figures among the members of a JSON object, null for what it does not have. */
  default void putInto(Map<String, @Nullable Object> members) {
    members.put("positions", positions());
    members.put("hashes", hashes());
    members.put("buckets", null);
    members.put("fingerprintBits", null);
  }

  /**
   * Bits or counters, each element anywhere among those of one layer.
   *
   * @param layers from the oldest to the newest
   */
  record Flat(List<Shape> layers) implements Layout {

    public Flat(Shape shape) {
      this(List.of(shape));
    }

    @Override
    public Long positions() {
      return layers.stream().mapToLong(Shape::positions).sum();
    }

    /** The newest layer has the most hashes. */
    @Override
    public Integer hashes() {
      return layers.get(layers.size() - 1).hashes();
    }

    @Override
    public int layerCount() {
      return layers.size();
    }

    @Override
    public double fpp(long elements) {
      return layers.get(0).fpp(elements);
    }

    @Override
    public Lines lines(long elements) {
      Shape shape = layers.get(0);
      int hashes = shape.hashes();
      return new Lines(
          hashes,
          hashes,
          hashes,
          BloomFormulas.expectedProbesOfAbsent(elements, shape.positions(), hashes),
          hashes);
    }

    @Override
    public @Nullable String note() {
      return layers.size() == 1
          ? null
          : "grew to " + layers.size() + " layers; m is their sum, k that of the newest";
    }
  }

  /** Bits or counters in blocks of a cache line, each element in one block. */
  record Blocked(BlockedShape shape) implements Layout {

    @Override
    public Long positions() {
      return shape.positions();
    }

    @Override
    public Integer hashes() {
      return shape.hashes();
    }

    @Override
    public double fpp(long elements) {
      return shape.fpp(elements);
    }

    @Override
    public Lines lines(long elements) {
      return new Lines(1, 1, 1, 1, 1);
    }

    @Override
    public @Nullable String note() {
      return null;
    }
  }

  /** Fingerprints in buckets of four, each element in one of two buckets. */
  record Buckets(CuckooSize size) implements Layout {

    /** The two of an element; every operation looks at both. */
    private static final int OWN = 2;

    /**
     * Other buckets that an addition looks into, the mean over a filling up to the capacity.
     * Measured from 10<sup>4</sup> to 5·10<sup>6</sup> elements and 8 to 18 bits: 0.8 to 0.95, and
     * 0.90 from 10<sup>6</sup> on; 0.003 in the first half, 20 in the last hundredth.
     */
    private static final double MEAN_KICKS = 0.9;

    /** After so many an addition gives up and takes the stash. */
    private static final int MOST_KICKS = 500;

    @Override
    public @Nullable Long positions() {
      return null;
    }

    @Override
    public @Nullable Integer hashes() {
      return null;
    }

    @Override
    public double fpp(long elements) {
      return size.fpp(elements);
    }

    @Override
    public Lines lines(long elements) {
      return new Lines(OWN + MEAN_KICKS, OWN + MOST_KICKS, OWN, OWN, OWN);
    }

    @Override
    public String note() {
      return String.format(
          Locale.ROOT,
          "%s buckets of four fingerprints of %d bits",
          Figures.whole(size.buckets()),
          size.fingerprintBits());
    }

    @Override
    public void putInto(Map<String, @Nullable Object> members) {
      Layout.super.putInto(members);
      members.put("buckets", size.buckets());
      members.put("fingerprintBits", size.fingerprintBits());
    }
  }
}
