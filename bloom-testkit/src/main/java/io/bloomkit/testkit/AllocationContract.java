package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertAll;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * That the operations of a filter take no memory, for filters that promise it. A test class
 * implements this beside {@link InsertableFilterContract}, whose methods it shares; the strategy of
 * its filters must take none either. A {@link DeletableFilter} is asked to remove and count, too.
 *
 * <p>The bytes that the thread takes are counted, no time is measured: of thousands of operations
 * that are warm none may allocate. A filter may take memory now and then to grow.
 *
 * @param <T> the type of the elements
 */
public interface AllocationContract<T> {

  /** Returns a new, empty filter. */
  InsertableFilter<T> newFilter(long expectedInsertions, double fpp);

  /**
   * Returns the element of an index: distinct ones for distinct indexes.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  @Test
  @Tag("allocation")
  default void operationsTakeNoMemory() {
    WarmOperations<T> operations = new WarmOperations<>(this::element);
    InsertableFilter<T> filter = newFilter(WarmOperations.ADDITIONS, 0.01);
    List<Executable> checks = new ArrayList<>(operations.additionsAndQueries(filter));
    if (filter instanceof DeletableFilter<T> deletable) {
      checks.addAll(operations.removals(deletable));
    }
    assertAll(checks); // in this order
  }
}
