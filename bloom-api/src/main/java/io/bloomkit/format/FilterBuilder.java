package io.bloomkit.format;

import io.bloomkit.FilterFormatException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Creates and reads filters of one class with the same options. The builder of every filter of this
 * library implements it, for code that works with all of them, such as {@code bloom-durable}.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it. It does
 * not close the stream, which need not be buffered. {@code readFrom(Path)} and {@code fromBytes}
 * require that no bytes follow the filter. A file does not store whether its filter was concurrent:
 * the filter that is returned is concurrent if the builder was told to make concurrent ones, and
 * static methods of a filter class return one that is only if all of the class are. These methods
 * throw
 *
 * <ul>
 *   <li>{@link FilterFormatException} if the bytes are damaged or truncated, or are a filter of
 *       another kind or strategy (id or fingerprint), or of another size than the builder has,
 *       should it have one;
 *   <li>{@link IOException} if the stream or file cannot be read;
 *   <li>{@link NullPointerException} if an argument is null.
 * </ul>
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
   * Reads a filter from a stream.
   *
   * @param in not closed; needs no buffering
   * @throws FilterFormatException if the bytes are not such a filter
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
