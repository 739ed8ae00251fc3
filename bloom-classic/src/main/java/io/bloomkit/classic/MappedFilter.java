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
 * A memory-mapped, read-only filter: the operating system loads the pages that queries touch,
 * caches them while there is memory, and shares them between all processes that have the file open.
 * The filter may be larger than an array and larger than the memory.
 *
 * <pre>{@code
 * filter.writeMappableTo(file);
 * ...
 * try (MappedFilter<String> seen = ClassicBloomFilter.openMapped(file, HashStrategies.utf8())) {
 *   seen.mightContain("a");
 * }
 * }</pre>
 *
 * <p><b>Trust.</b> Opening checks the header, its checksum and the length of the file, and reads
 * nothing else: the time does not depend on the size. It throws {@link FilterFormatException} if
 * these are damaged, if the kind or strategy is another one, and if the bits are gap-coded; {@link
 * NullPointerException} if an argument is null; {@link java.io.IOException} if the file cannot be
 * read or mapped. {@link #verify} reads everything and checks the rest. Damage that only it detects
 * makes queries return wrong answers and has no other effect.
 *
 * <p><b>The file.</b> It must not be changed while it is open. To replace it, write the new one to
 * another file and rename it, as {@code writeTo(Path)} does: filters that are open keep the old
 * one. If a file is truncated in place, or its disk fails, a query of a lost page throws {@link
 * InternalError} on HotSpot, possibly a few instructions late; another virtual machine may stop.
 * Queries may or may not see bytes that are overwritten in place.
 *
 * <p><b>Threads.</b> Thread-safe. Any thread may call {@link #close}; others may see it a moment
 * later.
 *
 * <p><b>Speed.</b> Once its pages are in memory a query takes 1.05 to 1.25 of the time of a filter
 * in an array, in the median. Above two gibibytes that holds from Java 22 on, which has memory
 * segments; before, a query takes up to 1.6 of the time.
 *
 * <p><b>Memory.</b> No query allocates. The mapping is off-heap: {@link #memoryBytes} returns its
 * size. Java 17 cannot unmap: after {@link #close} the garbage collector releases the mapping once
 * it is unreachable. Until then Windows does not delete the file.
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
   * Reads the whole file and checks what {@code readFrom} would: the checksum, bits beyond the last
   * position, and whether the element count is possible. Allocates nothing of the size of the file.
   *
   * @throws FilterFormatException if the file is damaged
   * @throws IllegalStateException if this filter is closed
   */
  public void verify() throws FilterFormatException {
    verify(words());
  }

  /**
   * Returns the element count of the filter that was written; see {@link BitFilter#elementCount}.
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

  /** Returns the number of set bits, X. Reads the whole file. */
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
   * Releases the file: every later operation throws {@link IllegalStateException}. Closing again
   * does nothing.
   */
  @Override
  public void close() {
    words = null;
  }

  /** Returns size, strategy and file, for logs. */
  @Override
  public String toString() {
    return "MappedFilter[" + size() + ", strategy=" + strategy.id() + ", file=" + file + "]";
  }
}
