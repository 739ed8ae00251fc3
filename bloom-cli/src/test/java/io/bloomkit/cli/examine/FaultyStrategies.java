package io.bloomkit.cli.examine;

import io.bloomkit.hash.LongHashStrategy;

/** Strategies with a fault each. */
final class FaultyStrategies {

  /** Fit on random numbers and on no others. */
  static final LongHashStrategy IDENTITY = LongHashStrategy.of("identity", x -> x, 1);

  static final LongHashStrategy THROWS_ON_77 =
      LongHashStrategy.of(
          "throws on 77",
          x -> {
            if (x == 77) {
              throw new IndexOutOfBoundsException("77");
            }
            return x * 0x9e3779b97f4a7c15L;
          },
          1);

  private FaultyStrategies() {}
}
