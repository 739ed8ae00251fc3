package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.testkit.LiveSnapshotContract;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Snapshots that a {@link LiveSnapshotContract} must find to be broken. */
class BrokenSnapshotsTest {

  /** A filter whose bytes are those of other contents. */
  @SuppressWarnings("unchecked") // the proxy has the interfaces of the filter
  private static <F extends CounterFilter<Long>> StorableFilter<Long> withContents(
      F filter, Function<F, FilterContents> contents) {
    return (StorableFilter<Long>)
        Proxy.newProxyInstance(
            BrokenSnapshotsTest.class.getClassLoader(),
            new Class<?>[] {StorableFilter.class, DeletableFilter.class},
            (proxy, method, arguments) ->
                method.getName().equals("toBytes")
                    ? contents.apply(filter).toBytes()
                    : method.invoke(filter, arguments));
  }

  private static void assertFound(
      FilterKind kind, Function<CounterFilter<Long>, FilterContents> contents) throws Exception {
    LiveSnapshotContract contract =
        new LiveSnapshotContract() {
          @Override
          public FilterKind kind() {
            return kind;
          }

          @Override
          public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
            CounterFilter<Long> filter =
                kind == CountingBloomFilter.KIND
                    ? CountingBloomFilter.builder(HashStrategies.longs())
                        .expecting(expectedInsertions, fpp)
                        .concurrent()
                        .build()
                    : BlockedCountingBloomFilter.builder(HashStrategies.longs())
                        .expecting(expectedInsertions, fpp)
                        .concurrent()
                        .build();
            return withContents(filter, contents);
          }
        };
    boolean isFound = false;
    for (int run = 0; run < 40 && !isFound; run++) {
      try {
        contract.snapshotsAreWholeWhileOthersWrite();
      } catch (Exception e) {
        Throwable cause = e.getCause();
        isFound = // the last if writing noticed the change itself
            cause instanceof AssertionError
                || cause instanceof FilterFormatException
                || cause instanceof IllegalStateException;
      }
    }
    assertTrue(isFound, "the snapshots passed");
  }

  private static FilterContents ofLiveCounters(CounterFilter<Long> filter) {
    return CounterFile.contents(filter.state, filter.counters, filter.elements.get());
  }

  private static FilterContents ofCopiedCounters(CounterFilter<Long> filter) {
    return CounterFile.contents(
        filter.state,
        filter.counters.copyShared(new long[filter.counters.words.length]).counters(),
        filter.elements.get());
  }

  @Test
  void countersThatAreWrittenWhileTheyChangeAreFound() throws Exception {
    assertFound(CountingBloomFilter.KIND, BrokenSnapshotsTest::ofLiveCounters);
    assertFound(BlockedCountingBloomFilter.KIND, BrokenSnapshotsTest::ofLiveCounters);
  }

  @Test
  void copiesWithPartsOfUpdatesAreFound() throws Exception {
    assertFound(CountingBloomFilter.KIND, BrokenSnapshotsTest::ofCopiedCounters);
    assertFound(BlockedCountingBloomFilter.KIND, BrokenSnapshotsTest::ofCopiedCounters);
  }
}
