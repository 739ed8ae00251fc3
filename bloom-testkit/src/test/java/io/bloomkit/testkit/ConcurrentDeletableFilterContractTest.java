package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The contract on a right filter, and on broken ones, each of which it must catch. */
@Deep
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // the broken ones lock what is right
class ConcurrentDeletableFilterContractTest implements ConcurrentDeletableFilterContract<Long> {

  /** One operation in this number goes wrong. */
  private static final int SELDOM = 1000;

  @Override
  public LockedCountersFilter newFilter(long expectedInsertions, double fpp) {
    return new LockedCountersFilter(expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  /** Not run: nobody doubts the lock. */
  @Override
  public void eightThreadsKeepElementsForLong() {}

  @TestFactory
  Stream<DynamicTest> brokenFiltersAreCaught() {
    return Stream.of(
        caught("isConcurrent", IntCountersFilter::new),
        caught("", WithoutLock::new), // any check may meet the race first
        caught("", LosesAdditions::new), // the element is negative, or its count too low
        caught("the contents are not those of what is held", KeepsWhatIsRemoved::new),
        caught("add of a stored element returned true", SaysThatAllIsNew::new),
        caught("remove of a stored element returned false", RefusesRemovals::new),
        caught("an element that stays is negative", ForgetsForAMoment::new));
  }

  private static DynamicTest caught(
      String by, BiFunction<Long, Double, DeletableFilter<Long>> filters) {
    ConcurrentDeletableFilterContract<Long> contract =
        new ConcurrentDeletableFilterContract<>() {
          @Override
          public DeletableFilter<Long> newFilter(long expectedInsertions, double fpp) {
            return filters.apply(expectedInsertions, fpp);
          }

          @Override
          public Long element(long index) {
            return index;
          }
        };
    String name = filters.apply(1L, 0.5).getClass().getSimpleName();
    return DynamicTest.dynamicTest(
        name,
        () -> {
          Throwable e = assertThrows(Throwable.class, contract::eightThreadsKeepFewElements);
          String message = String.valueOf(e.getMessage());
          assertTrue(message.contains(by), message);
        });
  }

  /** Says that it is concurrent, and does nothing for it. */
  private static final class WithoutLock extends IntCountersFilter {

    WithoutLock(long expectedInsertions, double fpp) {
      super(expectedInsertions, fpp);
    }

    @Override
    public boolean isConcurrent() {
      return true;
    }
  }

  /** A filter that goes wrong seldom. */
  private abstract static class Faulty extends LockedCountersFilter {

    private final AtomicInteger operations = new AtomicInteger();

    Faulty(long expectedInsertions, double fpp) {
      super(expectedInsertions, fpp);
    }

    final boolean isWrongNow() {
      return operations.incrementAndGet() % SELDOM == 0;
    }
  }

  private static final class LosesAdditions extends Faulty {

    LosesAdditions(long expectedInsertions, double fpp) {
      super(expectedInsertions, fpp);
    }

    @Override
    public boolean addHash(long hash) {
      return !isWrongNow() && super.addHash(hash);
    }
  }

  private static final class KeepsWhatIsRemoved extends Faulty {

    KeepsWhatIsRemoved(long expectedInsertions, double fpp) {
      super(expectedInsertions, fpp);
    }

    @Override
    public boolean removeHash(long hash) {
      return isWrongNow() || super.removeHash(hash);
    }
  }

  private static final class SaysThatAllIsNew extends Faulty {

    SaysThatAllIsNew(long expectedInsertions, double fpp) {
      super(expectedInsertions, fpp);
    }

    @Override
    public boolean addHash(long hash) {
      return super.addHash(hash) || isWrongNow();
    }
  }

  private static final class RefusesRemovals extends Faulty {

    RefusesRemovals(long expectedInsertions, double fpp) {
      super(expectedInsertions, fpp);
    }

    @Override
    public boolean removeHash(long hash) {
      return !isWrongNow() && super.removeHash(hash);
    }
  }

  private static final class ForgetsForAMoment extends Faulty {

    ForgetsForAMoment(long expectedInsertions, double fpp) {
      super(expectedInsertions, fpp);
    }

    @Override
    public boolean mightContain(Long element) {
      return (element >= 2 || !isWrongNow()) && super.mightContain(element); // 0 and 1 stay
    }
  }
}
