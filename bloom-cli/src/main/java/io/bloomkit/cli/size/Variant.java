package io.bloomkit.cli.size;

import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;

/** The filters that there are, in the order of tables. */
public enum Variant {
  CLASSIC("classic") {
    @Override
    public Candidate<?> candidate(Wish wish) {
      return Candidate.classic(label(), HashStrategies.bytes(), Shape.of(wish.elements, wish.fpp));
    }
  },
  BLOCKED("blocked") {
    @Override
    public Candidate<?> candidate(Wish wish) {
      return Candidate.blocked(
          label(), HashStrategies.bytes(), BlockedShape.ofBits(wish.elements, wish.fpp));
    }
  },
  COUNTING("counting") {
    @Override
    public Candidate<?> candidate(Wish wish) {
      return Candidate.counting(label(), HashStrategies.bytes(), Shape.of(wish.elements, wish.fpp));
    }
  },
  BLOCKED_COUNTING("blocked counting") {
    @Override
    public Candidate<?> candidate(Wish wish) {
      BlockedShape shape = BlockedShape.ofCounters(wish.elements, wish.fpp);
      return Candidate.blockedCounting(label(), HashStrategies.bytes(), shape);
    }
  },
  CUCKOO("cuckoo") {
    @Override
    public Candidate<?> candidate(Wish wish) {
      return Candidate.cuckoo(label(), HashStrategies.bytes(), wish.elements, wish.fpp);
    }
  },
  SCALABLE("scalable") {
    @Override
    public Candidate<?> candidate(Wish wish) {
      return Candidate.scalable(
          label(), HashStrategies.bytes(), wish.initialCapacity, wish.elements, wish.fpp);
    }
  };

  private final String label;

  Variant(String label) {
    this.label = label;
  }

  /** Returns its name in tables and JSON. */
  public String label() {
    return label;
  }

  /**
   * Plans a filter; nothing is allocated.
   *
   * @throws IllegalArgumentException if there is no such filter of this variant
   */
  public abstract Candidate<?> candidate(Wish wish);

  /**
   * What a filter is to be made for.
   *
   * @param elements how many distinct elements
   * @param initialCapacity with room for how many a filter that grows begins
   * @param fpp the false-positive probability
   */
  public record Wish(long elements, long initialCapacity, double fpp) {}
}
