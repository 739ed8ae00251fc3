package io.bloomkit.scalable.aging;

import io.bloomkit.testkit.Deep;
import java.time.Duration;
import java.time.InstantSource;

@Deep
class TimedSlicesFilterContractTest extends BrokenTimedAgingFilters.Timed {

  @Override
  public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
    return new TimedSlicesFilter(window, n, fpp, clock);
  }
}
