package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.format.FilterLayout.CacheLines;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TablesLayoutTest {

  private static final TablesLayout LAYOUT =
      new TablesLayout(DynamicCuckooShape.of(1000, 0.01), 1500, Map.of("fill", 0.5));

  @Test
  void figuresAreTheSizeAndWhatIsInUse() {
    assertEquals(
        Map.of("maxElements", 1000L, "possibleFingerprints", 100_000L, "fill", 0.5),
        LAYOUT.figures());
  }

  @Test
  void theRateIsThatOfTheSize() {
    assertEquals(LAYOUT.size().fpp(500), LAYOUT.fpp(500));
  }

  @Test
  void anAdditionLooksIntoNoMoreThanALongestChain() {
    assertEquals(new CacheLines(7, 4 + 6 * 125, 4, 4, 4), LAYOUT.cacheLines(1000));
  }
}
