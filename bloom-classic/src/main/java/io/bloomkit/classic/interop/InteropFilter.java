package io.bloomkit.classic.interop;

import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.AtomicFile;
import io.bloomkit.internal.filter.MergeKey;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the filters of other libraries whose hashes have 64 bits: all that does not
 * depend on the positions of an element.
 *
 * @param <T> the type of the elements
 * @param <F> the class of the filter
 */
public abstract class InteropFilter<T, F extends InteropFilter<?, F>>
    implements InsertableFilter<T>, MergeableFilter<F> {

  protected final HashStrategy<? super T> strategy;
  protected final long[] words;
  private final MergeKey key;

  /**
   * Creates a filter that keeps the array.
   *
   * @param shape what filters that merge have in common, besides their strategy
   */
  protected InteropFilter(HashStrategy<? super T> strategy, Object shape, long[] words) {
    this.strategy = strategy;
    this.key = new MergeKey(shape, StrategyIdentity.of(strategy));
    this.words = words;
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
  }

  @Override
  public boolean isCompatible(MembershipFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return other instanceof InteropFilter<?, ?> filter && key.equals(filter.key);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public void merge(F other) {
    InteropFilter<?, F> from = Objects.requireNonNull(other, "other");
    key.requireEqual(from.key, "merge", plan(), from.plan());
    for (int i = 0; i < words.length; i++) {
      words[i] |= from.words[i];
    }
  }

  /** Returns the number of set bits. The cost is a pass over all bits. */
  public long setPositions() {
    long bits = 0;
    for (long word : words) {
      bits += Long.bitCount(word);
    }
    return bits;
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Writes the bytes of the other library. The stream is neither flushed nor closed. */
  public abstract void writeTo(OutputStream out) throws IOException;

  /** Returns the number of bytes that {@link #writeTo(OutputStream)} writes. */
  protected abstract long writtenBytes();

  /**
   * Writes this filter to a file by atomic replace, in the format of {@link
   * #writeTo(OutputStream)}. After a crash at any moment, there is either the complete old file or
   * the complete new file.
   *
   * @throws IOException if the file cannot be written, or is not a regular file. The last step
   *     syncs the directory to disk; if it fails, an old file has already been replaced. After any
   *     other failure, an old file is unchanged.
   */
  public final void writeTo(Path file) throws IOException {
    AtomicFile.write(file, this::writeTo);
  }

  /**
   * Returns the bytes that {@link #writeTo(OutputStream)} writes.
   *
   * @throws IllegalStateException if the bytes do not fit into an array
   */
  public final byte[] toBytes() {
    return InteropFormat.toBytes(writtenBytes(), this::writeTo);
  }

  /**
   * Returns whether an object is a {@linkplain #isCompatible compatible} filter with the same bits.
   * The cost is a pass over all bits.
   */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof InteropFilter<?, ?> other
        && key.equals(other.key)
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code that changes with the bits. The cost is a pass over all bits. */
  @Override
  public final int hashCode() {
    return Objects.hash(key, Arrays.hashCode(words));
  }
}
