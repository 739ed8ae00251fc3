package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** An exact filter passes; snapshots that lack or invent something are found. */
class LiveSnapshotContractTest implements LiveSnapshotContract {

  /** An exact multiset of hashes under one lock. */
  private static class Exact implements StorableFilter<Long>, InsertableFilter<Long> {

    final Map<Long, Long> counts = new HashMap<>();
    long total;

    final void addAll(byte[] bytes) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        addHash(buffer.getLong());
      }
    }

    @Override
    public synchronized byte[] toBytes() {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(total * Long.BYTES));
      counts.forEach(
          (hash, count) -> {
            for (long i = 0; i < count; i++) {
              bytes.putLong(hash);
            }
          });
      return bytes.array();
    }

    @Override
    public boolean mightContainHash(long hash) {
      return copies(hash) > 0;
    }

    final synchronized long copies(long hash) {
      return counts.getOrDefault(hash, 0L);
    }

    @Override
    public synchronized boolean addHash(long hash) {
      total++;
      return counts.merge(hash, 1L, Long::sum) == 1;
    }

    @Override
    public synchronized void clear() {
      counts.clear();
      total = 0;
    }

    @Override
    public synchronized OptionalLong elementCount() {
      return OptionalLong.of(total);
    }

    @Override
    public double expectedFpp() {
      return 0;
    }

    @Override
    public synchronized long approximateElementCount() {
      return counts.size();
    }

    @Override
    public long memoryBytes() {
      return approximateElementCount() * Long.BYTES;
    }

    @Override
    public HashStrategy<Long> strategy() {
      return HashStrategies.longs();
    }

    @Override
    public synchronized boolean equals(Object object) {
      return object instanceof Exact other && counts.equals(other.counts);
    }

    @Override
    public synchronized int hashCode() {
      return counts.hashCode();
    }
  }

  /** One whose elements can be removed. */
  private static final class ExactDeletable extends Exact implements DeletableFilter<Long> {

    static ExactDeletable of(byte[] bytes) {
      ExactDeletable filter = new ExactDeletable();
      filter.addAll(bytes);
      return filter;
    }

    @Override
    public boolean remove(Long element) {
      return removeHash(strategy().hash(element));
    }

    @Override
    public synchronized boolean removeHash(long hash) {
      if (!counts.containsKey(hash)) {
        return false;
      }
      total--;
      counts.computeIfPresent(hash, (key, count) -> count == 1 ? null : count - 1);
      return true;
    }

    @Override
    public long count(Long element) {
      return countHash(strategy().hash(element));
    }

    @Override
    public synchronized long countHash(long hash) {
      return copies(hash);
    }
  }

  @Override
  public FilterKind kind() {
    return kind(UnaryOperator.identity());
  }

  /** Returns a kind that changes the bytes before it reads them. */
  private static FilterKind kind(UnaryOperator<byte[]> change) {
    return (FilterKind)
        Proxy.newProxyInstance(
            FilterKind.class.getClassLoader(),
            new Class<?>[] {FilterKind.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "addHash" -> ((Exact) arguments[0]).addHash((Long) arguments[1]);
                  case "fromBytes" -> ExactDeletable.of(change.apply((byte[]) arguments[0]));
                  case "isMergeable" -> true;
                  case "merge" -> {
                    byte[] bytes = ((Exact) arguments[1]).toBytes();
                    ((Exact) arguments[0]).addAll(change.apply(bytes));
                    yield proxy;
                  }
                  default -> throw new AssertionError(method);
                });
  }

  @Override
  public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return new ExactDeletable();
  }

  private static void assertFound(UnaryOperator<byte[]> change, String complaint) throws Exception {
    LiveSnapshotContract broken =
        new LiveSnapshotContract() {
          @Override
          public FilterKind kind() {
            return LiveSnapshotContractTest.kind(change);
          }

          @Override
          public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
            return new ExactDeletable();
          }
        };
    String message = "nothing";
    try {
      new LiveSnapshots(broken).run(TimeUnit.SECONDS.toNanos(20));
    } catch (ExecutionException e) {
      message = String.valueOf(e.getCause());
    }
    assertTrue(message.contains(complaint), message);
  }

  @Test
  void aSnapshotWithoutElementsIsFound() throws Exception {
    assertFound(bytes -> new byte[0], "a lost element");
  }

  @Test
  void aSnapshotWithElementsThatNobodyAddedIsFound() throws Exception {
    assertFound(
        bytes -> ByteBuffer.allocate(bytes.length + 8).put(bytes).putLong(-1).array(), " of ");
  }

  @Test
  void filtersWithoutRemovalsAndCountsPass() throws Exception {
    LiveSnapshotContract contract =
        new LiveSnapshotContract() {
          @Override
          public FilterKind kind() {
            return LiveSnapshotContractTest.kind(UnaryOperator.identity());
          }

          @Override
          public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
            return new Exact() {
              @Override
              public OptionalLong elementCount() {
                return OptionalLong.empty();
              }
            };
          }
        };
    assertTrue(new LiveSnapshots(contract).run(TimeUnit.MILLISECONDS.toNanos(300)) > 2);
  }
}
