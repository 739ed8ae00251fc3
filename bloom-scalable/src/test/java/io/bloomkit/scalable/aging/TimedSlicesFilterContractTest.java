package io.bloomkit.scalable.aging;

import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;

@Tag("deepRate")
class TimedSlicesFilterContractTest extends BrokenTimedAgingFilters.Timed {

  @Override
  public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
    return new TimedSlicesFilter(window, n, fpp, clock);
  }
}
