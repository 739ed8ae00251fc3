package io.bloomkit.cli;

import io.bloomkit.HashStrategy;
import io.bloomkit.LongHashStrategy;

/** Strategies with a fault each, over what lines can be turned into. */
final class GalleryOfStrategies {

  /** Fit on random numbers and on no others. */
  static final LongHashStrategy IDENTITY = LongHashStrategy.of("identity", x -> x, 1);

  static final LongHashStrategy CONSTANT = LongHashStrategy.of("constant", x -> 42, 1);

  static final HashStrategy<String> WIDENED_HASH_CODE =
      HashStrategy.of("widened", String::hashCode, "a");

  static final HashStrategy<CharSequence> THIRTY_ONE =
      HashStrategy.of(
          "31*h+c", text -> text.chars().asLongStream().reduce(0, (h, c) -> 31 * h + c), "a");

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

  private GalleryOfStrategies() {}
}
