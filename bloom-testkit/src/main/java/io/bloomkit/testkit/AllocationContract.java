package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertAll;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.hash.LongHashStrategy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Tests that the operations of a filter allocate nothing. A test class implements this in addition
 * to {@link InsertableFilterContract}, whose methods it shares. The strategy of its filters must
 * not allocate either. For a {@link DeletableFilter}, removals and counts are tested too; for a
 * {@link LongHashStrategy}, unboxed longs.
 *
 * <p>It counts the bytes that the thread allocates over thousands of operations after a warm-up. A
 * filter may allocate occasionally in order to grow.
 *
 * @param <T> the type of the elements
 */
public interface AllocationContract<T> {

  /** Returns a new, empty filter. */
  InsertableFilter<T> newFilter(long expectedInsertions, double fpp);

  /**
   * Returns the element of an index; distinct indexes have distinct elements.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  @Test
  @Tag("allocation")
  default void operationsTakeNoMemory() {
    WarmOperations<T> operations = new WarmOperations<>(this::element);
    InsertableFilter<T> filter = newFilter(WarmOperations.DISTINCT, 0.01);
    List<Executable> checks = new ArrayList<>(operations.additionsAndQueries(filter));
    boolean takesLongs = filter.strategy() instanceof LongHashStrategy;
    if (takesLongs) {
      checks.addAll(operations.longs(filter));
    }
    if (filter instanceof DeletableFilter<T> deletable) {
      checks.addAll(operations.removals(deletable));
      if (takesLongs) {
        checks.addAll(operations.removalsOfLongs(deletable));
      }
    }
    assertAll(checks); // in this order
  }
}
