package io.bloomkit.format;

import io.bloomkit.FilterFormatException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Creates and reads filters of one class with the same options. The builder of every filter of this
 * library implements it, for code that works with all of them, such as {@code bloom-durable}.
 *
 * @param <S> the type of the elements; a filter may have elements of a subtype
 */
public interface FilterBuilder<S> {

  /**
   * Returns an empty filter.
   *
   * @throws IllegalStateException if an option is missing
   */
  <T extends S> StorableFilter<T> build();

  /**
   * Reads a filter from a stream. Reads no byte beyond the filter.
   *
   * @param in not closed; needs no buffering
   * @throws FilterFormatException if the bytes are damaged, or are a filter of another kind, hash
   *     strategy or size
   * @throws IOException if the stream fails
   */
  <T extends S> StorableFilter<T> readFrom(InputStream in) throws IOException;

  /**
   * A builder of filters from which elements can be removed.
   *
   * @param <S> the type of the elements
   */
  interface OfDeletable<S> extends FilterBuilder<S> {}
}
