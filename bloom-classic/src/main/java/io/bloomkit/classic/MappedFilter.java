package io.bloomkit.classic;

import io.bloomkit.FilterPlan;
import io.bloomkit.MembershipFilter;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.MappedWords;
import io.bloomkit.hash.HashStrategy;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A memory-mapped, read-only filter. The operating system loads the pages that queries touch and
 * caches them while there is memory. All processes that have the file open share the pages. The
 * filter may be larger than one array and larger than the memory.
 *
 * <pre>{@code
 * filter.writeMappableTo(file);
 * ...
 * try (MappedFilter<String> seen = ClassicBloomFilter.openMapped(file, HashStrategies.utf8())) {
 *   seen.mightContain("a");
 * }
 * }</pre>
 *
 * <p><b>Checks.</b> Opening reads and checks the header, its checksum and the length of the file,
 * in time that does not depend on the size. It does not read the bits. It throws {@link
 * FilterFormatException} if the header is damaged, the filter is of another kind or strategy, the
 * length is wrong, or the bits are gap-coded; {@link java.io.IOException} if the file cannot be
 * read or mapped.
 *
 * <p>{@link #verify()} reads the whole file and checks the bits. If the bits are damaged, queries
 * return wrong answers, but nothing else happens.
 *
 * <p><b>The file.</b> The file must not be changed while it is open. To replace it, write to
 * another file and rename that, as {@code writeTo(Path)} does: open filters continue to use the old
 * file. If the file is truncated in place or its disk fails, a query of a lost page throws {@link
 * InternalError}, possibly with a delay; a virtual machine other than HotSpot may crash. If bytes
 * are overwritten in place, queries may see the old or the new ones.
 *
 * <p><b>Threads.</b> Thread-safe. Any thread may call {@link #close}; queries of other threads may
 * succeed for a moment afterwards.
 *
 * <p><b>Cost.</b> If the pages are in memory, a query takes somewhat longer than one of a filter in
 * an array. Queries of a file above two gibibytes are slower before Java 22 than from Java 22 on. A
 * query of one element allocates nothing, unless the strategy does. {@link #expectedFpp} and {@link
 * #approximateElementCount} read the whole file; {@link #estimate()} reads a sample.
 *
 * <p><b>Memory.</b> The mapping is off-heap; {@link #memoryBytes} returns its size. The garbage
 * collector releases it, some time after the filter was closed or became unreachable. Until then,
 * Windows cannot delete the file.
 *
 * @param <T> the type of the elements
 */
public abstract sealed class MappedFilter<T> implements MembershipFilter<T>, Closeable
    permits MappedBlockedFilter, MappedClassicFilter {

  private final HashStrategy<? super T> strategy;
  private final OptionalLong elementCount;
  private final Optional<FilterPlan> plan;
  private final Path file;

  /** Null once it is closed. Not volatile, since a query would pay for it. */
  private @Nullable MappedWords words;

  MappedFilter(
      HashStrategy<? super T> strategy, FilterReader reader, MappedWords words, Path file) {
    this.strategy = strategy;
    this.elementCount = reader.elementCount();
    this.plan = reader.plan();
    this.words = words;
    this.file = file;
  }

  /** The words, for one operation. */
  final MappedWords words() {
    MappedWords now = words;
    if (now == null) {
      throw new IllegalStateException("the filter in " + file + " is closed");
    }
    return now;
  }

  /** The size, for messages. */
  abstract Record size();

  /** Reads and checks everything. */
  abstract void verify(MappedWords mapped) throws FilterFormatException;

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  /**
   * Reads the whole file and checks it as {@code readFrom} does: the checksum, the bits beyond the
   * last position, and whether the element count is possible. Requires little memory, whatever the
   * size of the file.
   *
   * @throws FilterFormatException if the file is damaged
   * @throws IllegalStateException if this filter is closed
   */
  public void verify() throws FilterFormatException {
    verify(words());
  }

  /**
   * Returns the element count in the file; see {@link BitFilter#elementCount}.
   *
   * @return the count, or empty if it is unknown
   */
  @Override
  public OptionalLong elementCount() {
    return elementCount;
  }

  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /** Returns X, the number of set bits. Reads the whole file. */
  public long setPositions() {
    return words().countBits();
  }

  /** Returns the number of mapped bytes, which are off-heap. */
  @Override
  public long memoryBytes() {
    return words().size() * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /**
   * Closes this filter. Afterwards every method that reads the bits or their size, such as a query,
   * throws {@link IllegalStateException}. Closing again does nothing.
   */
  @Override
  public void close() {
    words = null;
  }

  /** Returns size, strategy and file, for logs and debuggers. */
  @Override
  public String toString() {
    return "MappedFilter[" + size() + ", strategy=" + strategy.id() + ", file=" + file + "]";
  }
}
