package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertAll;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.hash.LongHashStrategy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/**
 * Tests that the operations of a filter allocate nothing. A test class implements this interface in
 * addition to {@link InsertableFilterContract}, which has the same abstract methods. The hash
 * strategy of the filters must not allocate either.
 *
 * <p>The test covers insertions and queries, by element and by hash, and bulk operations on hashes.
 * For a {@link DeletableFilter}, it also covers removals and {@linkplain DeletableFilter#count
 * counts of an element}. For a filter with a {@link LongHashStrategy}, it also covers the
 * operations on unboxed longs.
 *
 * <p>Each operation runs on 100,000 elements in five equal parts, of which the first is a warm-up.
 * An operation fails the test if each of the other four parts allocates more than 4,000 bytes. So
 * the test passes if a filter allocates occasionally, for example to grow. The test also fails on a
 * Java runtime that does not count allocated bytes.
 *
 * @param <T> the type of the elements
 */
@ExtendWith(CreatedFilter.class)
public interface AllocationContract<T> {

  /**
   * Returns a new, empty filter.
   *
   * @param expectedInsertions the planned number of distinct elements, at least 1
   * @param fpp the planned false-positive rate, in (0, 1)
   */
  InsertableFilter<T> newFilter(long expectedInsertions, double fpp);

  /**
   * Returns the element of an index. Distinct indexes must have distinct elements.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  /** Tests all operations, and reports each one that allocates. */
  @Test
  default void operationsTakeNoMemory() {
    WarmOperations<T> operations = new WarmOperations<>(this::element);
    InsertableFilter<T> filter = filter(WarmOperations.DISTINCT, 0.01);
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

  /** Returns a new filter, whose size failures name. */
  private InsertableFilter<T> filter(long expectedInsertions, double fpp) {
    return CreatedFilter.of(expectedInsertions, fpp, this::newFilter);
  }
}
