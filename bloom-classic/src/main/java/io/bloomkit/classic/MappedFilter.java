package io.bloomkit.classic;

import io.bloomkit.MembershipFilter;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.MappedWords;
import io.bloomkit.hash.HashStrategy;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A filter that stays in its file and can only be asked: the operating system brings in the pages
 * that queries touch, keeps them while there is memory, and shares them between all processes that
 * have the file open. It may be larger than an array and larger than the memory.
 *
 * <pre>{@code
 * filter.writeMappableTo(file);
 * ...
 * try (MappedFilter<String> seen = ClassicBloomFilter.openMapped(file, HashStrategies.utf8())) {
 *   seen.mightContain("a");
 * }
 * }</pre>
 *
 * <p><b>Trust.</b> Opening checks the header, its checksum and the length of the file, and touches
 * nothing else, so that it takes the same time for any size. {@link #verify} reads everything and
 * checks the rest. A file that is damaged there answers wrongly, and does nothing worse.
 *
 * <p><b>The file.</b> It must not be changed while it is open. To replace it, write the new one to
 * another file and rename it, as {@code writeTo(Path)} does: filters that are open keep the old
 * one. If a file is made shorter in place, or its disk fails, a query of a lost page throws {@link
 * InternalError} on HotSpot, possibly a few instructions late; another virtual machine may stop.
 * Bytes that are overwritten in place are seen at once, or not.
 *
 * <p><b>Threads.</b> Any number may ask. {@link #close} may be called by any of them; others may
 * see it a moment later.
 *
 * <p><b>Speed.</b> Once its pages are in memory a query takes 1.05 to 1.25 of the time of a filter
 * in an array, in the median. Above two gibibytes that holds from Java 22 on, which has memory
 * segments; before, a query takes up to 1.6 of the time.
 *
 * <p><b>Memory.</b> No query allocates. What is mapped takes addresses and not heap: {@link
 * #memoryBytes} says how many. Java 17 cannot unmap: after {@link #close} the addresses are given
 * back when the collector has found that nobody uses them. Until then Windows does not delete the
 * file.
 *
 * @param <T> the type of the elements
 */
public abstract sealed class MappedFilter<T> implements MembershipFilter<T>, Closeable
    permits MappedBlockedFilter, MappedClassicFilter {

  private final HashStrategy<? super T> strategy;
  private final OptionalLong elementCount;
  private final Path file;

  /** Null once it is closed. Not volatile, since a query would pay for it. */
  private @Nullable MappedWords words;

  MappedFilter(
      HashStrategy<? super T> strategy, FilterReader reader, MappedWords words, Path file) {
    this.strategy = strategy;
    this.elementCount = reader.elementCount();
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

  /** How many bits an element takes at most. */
  abstract int hashes();

  /** Checks what the variant asks of its words. */
  abstract void verifyWords(MappedWords mapped) throws FilterFormatException;

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  /**
   * Reads the whole file and checks what {@code readFrom} would: the checksum, bits beyond the last
   * position, and whether the element count is possible. Takes as long as the disk or the memory
   * needs, and no memory of its own.
   *
   * @throws FilterFormatException if the file is damaged
   * @throws IllegalStateException if this filter is closed
   */
  public void verify() throws FilterFormatException {
    MappedWords mapped = words();
    long bits = mapped.verify();
    verifyWords(mapped);
    if (elementCount.isPresent()) {
      long count = elementCount.getAsLong();
      if (count < BitFilter.leastElements(bits, hashes()) || count > BitFilter.mostElements(bits)) {
        throw mapped.wrong(
            bits + " bits are set, which is impossible for the element count of " + count);
      }
    }
  }

  /**
   * Returns how often was added to the filter that was written; see {@link BitFilter#elementCount}.
   *
   * @return the count, or empty if it is unknown
   */
  public OptionalLong elementCount() {
    return elementCount;
  }

  /** Returns how many bits are set: X. Reads the whole file. */
  public long setPositions() {
    return words().countBits();
  }

  /** Returns the bytes of the file that are mapped; they are no part of the heap. */
  @Override
  public long memoryBytes() {
    return words().size() * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /**
   * Lets go of the file: every later operation throws {@link IllegalStateException}. Closing again
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
