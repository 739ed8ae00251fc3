package io.bloomkit.classic;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.MembershipFilter;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.MappedWords;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A memory-mapped, read-only filter. The operating system loads the pages that queries touch, and
 * keeps them in memory while there is room. All processes that map the file share these pages. The
 * filter may be larger than one array and larger than physical memory.
 *
 * <pre>{@code
 * filter.writeMappableTo(file);
 * ...
 * try (MappedFilter<String> seen = ClassicBloomFilter.openMapped(file, HashStrategies.utf8())) {
 *   seen.mightContain("a");
 * }
 * }</pre>
 *
 * <p><b>Checks.</b> Opening checks the header, its checksum and the length of the file. It does not
 * read the bits, so it takes constant time. Opening throws {@link FilterFormatException} if the
 * header is damaged, the filter is of another kind or strategy, the length is wrong, or the bits
 * are compressed. {@link BitFilter#writeTo(Path)} compresses the bits if few of them are set.
 * Opening throws {@link java.io.IOException} if the file cannot be read or mapped.
 *
 * <p>{@link #verify()} reads the whole file and checks the bits. If the bits are damaged, queries
 * may return wrong answers, including false negatives; they do not throw.
 *
 * <p><b>The file.</b> Do not change the file while it is open. To replace the file, write a new
 * file and rename the new file to the old name, as {@link BitFilter#writeMappableTo} does. Open
 * filters then continue to use the old file. If the file is truncated in place or its disk fails, a
 * query that touches a lost page throws {@link InternalError}, possibly with a delay; a virtual
 * machine other than HotSpot may crash. If bytes are overwritten in place, queries may see the old
 * or the new bytes.
 *
 * <p><b>Threads.</b> Thread-safe. Any thread may call {@link #close}; queries in other threads may
 * still succeed for a short time afterwards.
 *
 * <p><b>Cost.</b> If the pages are in memory, a query takes somewhat longer than the same query of
 * a filter on the heap. Before Java 22, queries of a file larger than 2 GiB are slower than on
 * later versions. A query of one element allocates nothing, unless the strategy does. {@link
 * #expectedFpp}, {@link #approximateElementCount} and {@link #setPositions} read the whole file;
 * {@link #estimate()} reads a sample.
 *
 * <p><b>Memory.</b> The mapping is off-heap; {@link #memoryBytes} returns its size. The garbage
 * collector releases the mapping some time after the filter was closed or became unreachable. Until
 * then, Windows can neither delete nor replace the file.
 *
 * @param <T> the type of the elements
 */
public abstract sealed class MappedFilter<T> implements MembershipFilter<T>, Closeable
    permits MappedBlockedFilter, MappedClassicFilter {

  private final HashStrategy<? super T> strategy;
  private final Shape shape;
  private final OptionalLong elementCount;
  private final Optional<FilterPlan> plan;
  private final Path file;

  /**
   * Null once the filter is closed. Read opaquely: the compiler may move a plain read out of a loop
   * of queries, which then never notices that the filter is closed; a volatile read would slow each
   * query.
   */
  private final AtomicReference<@Nullable MappedWords> words;

  MappedFilter(
      HashStrategy<? super T> strategy,
      Shape shape,
      FilterReader reader,
      MappedWords words,
      Path file) {
    this.strategy = strategy;
    this.shape = shape;
    this.elementCount = reader.elementCount();
    this.plan = reader.plan();
    this.words = new AtomicReference<>(words);
    this.file = file;
  }

  /** Returns the words; throws {@link IllegalStateException} if the filter is closed. */
  final MappedWords words() {
    MappedWords current = words.getOpaque();
    if (current == null) {
      throw new IllegalStateException("the filter in " + file + " is closed");
    }
    return current;
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  /**
   * Reads the whole file and checks the bits. The checksum must match, no bit beyond the last
   * position may be set, and the element count must be possible with the number of set bits. The
   * {@code readFrom} methods of the filter classes, which read the file onto the heap, make the
   * same checks. The heap usage of {@code verify} does not depend on the size of the file.
   *
   * @throws FilterFormatException if the file is damaged
   * @throws IllegalStateException if this filter is closed
   */
  public void verify() throws FilterFormatException {
    MappedWords mapped = words();
    try {
      BitsFile.verify(mapped, shape, elementCount);
    } catch (FilterFormatException e) {
      throw new FilterFormatException(file, e);
    }
  }

  /**
   * Returns the element count that is stored in the file; see {@link BitFilter#elementCount}.
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

  /** {@inheritDoc} Reads the whole file. */
  @Override
  public long approximateElementCount() {
    return Math.round(shape.estimatedElements(setPositions()));
  }

  /** Returns the number of set bits. Reads the whole file. */
  public long setPositions() {
    return words().countBits();
  }

  /**
   * Returns the number of mapped bytes, which are off-heap.
   *
   * @throws IllegalStateException if this filter is closed
   */
  @Override
  public long memoryBytes() {
    return words().size() * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /**
   * Closes this filter. Afterwards every method that needs the mapping throws {@link
   * IllegalStateException}: the queries, the estimates, {@link #setPositions}, {@link #memoryBytes}
   * and {@link #verify()}. Closing again does nothing.
   */
  @Override
  public void close() {
    words.setOpaque(null);
  }

  /** Returns size, strategy and file, for logs and debuggers. Takes constant time. */
  @Override
  public String toString() {
    return "MappedFilter[" + shape + ", strategy=" + strategy.id() + ", file=" + file + "]";
  }
}
