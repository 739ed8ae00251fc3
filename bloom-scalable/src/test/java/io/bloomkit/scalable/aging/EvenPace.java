package io.bloomkit.scalable.aging;

import io.bloomkit.MembershipFilter;
import io.bloomkit.hash.HashStrategy;
import java.time.Duration;

/**
 * A filter that remembers a stretch of time is, at an even generations, one that remembers as many
 * additions: so the experiments of {@link AgingRateRun} are run on it too.
 */
final class EvenPace<T, F extends MembershipFilter<T>>
    implements AgingFilterContract<T, EvenPace.Paced<T, F>> {

  /** Enough for no generation of whole milliseconds to be much longer than it should be. */
  private static final long MILLIS_AN_ADDITION = 10;

  private final TimedAgingFilterContract<T, F> contract;

  EvenPace(TimedAgingFilterContract<T, F> contract) {
    this.contract = contract;
  }

  @Override
  public Paced<T, F> newFilter(long lastAdditions, double fpp) {
    HandClock clock = new HandClock(0);
    Duration window = Duration.ofMillis(lastAdditions * MILLIS_AN_ADDITION);
    return new Paced<>(contract.newFilter(window, lastAdditions, fpp, clock), clock);
  }

  @Override
  public T element(long index) {
    return contract.element(index);
  }

  @Override
  public boolean add(Paced<T, F> paced, T element) {
    paced.clock.millis += MILLIS_AN_ADDITION;
    return contract.add(paced.filter, element);
  }

  @Override
  public boolean addHash(Paced<T, F> paced, long hash) {
    paced.clock.millis += MILLIS_AN_ADDITION;
    return contract.addHash(paced.filter, hash);
  }

  @Override
  public void clear(Paced<T, F> paced) {
    contract.clear(paced.filter);
  }

  @Override
  public long additionsUntilForgotten(Paced<T, F> paced) {
    long millis = contract.timeUntilForgotten(paced.filter).toMillis();
    return (millis + MILLIS_AN_ADDITION - 1) / MILLIS_AN_ADDITION;
  }

  /** A filter and the clock that it looks at. */
  record Paced<T, F extends MembershipFilter<T>>(F filter, HandClock clock)
      implements MembershipFilter<T> {

    @Override
    public boolean mightContain(T element) {
      return filter.mightContain(element);
    }

    @Override
    public boolean mightContainHash(long hash) {
      return filter.mightContainHash(hash);
    }

    @Override
    public double expectedFpp() {
      return filter.expectedFpp();
    }

    @Override
    public long approximateElementCount() {
      return filter.approximateElementCount();
    }

    @Override
    public long memoryBytes() {
      return filter.memoryBytes();
    }

    @Override
    public HashStrategy<? super T> strategy() {
      return filter.strategy();
    }
  }
}
