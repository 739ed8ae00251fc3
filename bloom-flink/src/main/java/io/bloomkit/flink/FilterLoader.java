package io.bloomkit.flink;

import io.bloomkit.format.StorableFilter;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads filters of Flink's state. An implementation is a public static or top-level class with a
 * public constructor without parameters: a savepoint contains its name, so it cannot be a lambda
 * and must keep its name as long as there are savepoints.
 *
 * @param <F> the type of the filters
 */
public interface FilterLoader<F extends StorableFilter<?>> {

  /**
   * Reads a filter, by the method {@code readFrom} of its class or builder, with the strategy and
   * the options that the filter shall have. Called by one thread at a time.
   *
   * @throws IOException if the stream fails or contains something else
   */
  F readFrom(InputStream in) throws IOException;
}
