package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks whose instants have no number of milliseconds. */
class ExtremeClockTest {

  private Instant now = Instant.EPOCH;

  private AgingBloomFilter<Long> filter(boolean concurrent) {
    AgingBloomFilter.Builder<Long> builder =
        AgingBloomFilter.builder(HashStrategies.longs())
            .window(Duration.ofHours(1))
            .clock(() -> now)
            .expecting(1000, 0.001);
    return (concurrent ? builder.concurrent() : builder).build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyInstantIsHandled(boolean concurrent) throws Exception {
    now = Instant.MIN;
    AgingBloomFilter<Long> filter = filter(concurrent);
    filter.add(1L);
    assertTrue(filter.mightContain(1L));
    now = Instant.EPOCH;
    assertFalse(filter.mightContain(1L), "an hour has passed");
    filter.add(2L);
    now = Instant.MAX;
    assertFalse(filter.mightContain(2L), "an hour has passed");
    filter.add(3L);
    assertTrue(filter.mightContain(3L));
    AgingBloomFilter<Long> read =
        AgingBloomFilter.builder(HashStrategies.longs())
            .clock(() -> now)
            .fromBytes(filter.toBytes());
    assertEquals(filter, read);
    now = Instant.MIN; // a clock that was set back ends nothing
    assertTrue(filter.mightContain(3L));
  }
}
