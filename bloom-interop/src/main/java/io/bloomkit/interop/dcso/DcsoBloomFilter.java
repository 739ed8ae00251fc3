package io.bloomkit.interop.dcso;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.interop.InteropFilter;
import io.bloomkit.interop.internal.InteropFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that behaves like that of DCSO's {@code bloom} for Go: same answers, same bits,
 * same bytes. Forensic tools read lists of the hashes of known files in this format.
 *
 * <pre>{@code
 * DcsoBloomFilter known = DcsoBloomFilter.readFrom(in);
 * boolean isKnown = known.mightContain("D41D8CD98F00B204E9800998ECF8427E".getBytes(US_ASCII));
 * }</pre>
 *
 * <p><b>Elements</b> are bytes, hashed by FNV-1 with 64 bits. The publisher of a file says whether
 * hexadecimal digits are upper or lower case.
 *
 * <p><b>The bytes.</b> Little-endian numbers of 64 bits: the version 1, the planned number of
 * elements n, the planned rate p as a double, the number of hashes k, the number of bits m, the
 * number of additions that set a bit, and ⌈m / 64⌉ words; all bytes after them are data of the
 * publisher. There is no checksum, so a flipped bit is not detected.
 *
 * <p><b>When to choose another filter.</b> For a filter that no such tool reads, choose another
 * class. An operation costs up to one division per hash, and FNV-1 is weak: who chooses elements
 * can make any of them collide.
 *
 * <p><b>Threads.</b> Single-writer: access from several threads requires external synchronization,
 * unless the filter is safely published and not changed afterwards.
 */
public final class DcsoBloomFilter
    implements InsertableFilter<byte[]>, InteropFilter<byte[]>, MergeableFilter<DcsoBloomFilter> {

  private static final InteropFormat FORMAT =
      new InteropFormat("a DCSO bloom filter", ByteOrder.LITTLE_ENDIAN, 0);

  private static final long VERSION = 1;
  private static final int ELEMENTS_AT = Long.BYTES;
  private static final int FPP_AT = 2 * Long.BYTES;
  private static final int HASHES_AT = 3 * Long.BYTES;
  private static final int POSITIONS_AT = 4 * Long.BYTES;
  private static final int COUNT_AT = 5 * Long.BYTES;
  private static final int HEADER_BYTES = 6 * Long.BYTES;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** The modulus 2<sup>64</sup> − 59 of the sequence of states, the largest 64-bit prime. */
  private static final long MODULUS = -59;

  /** The factor 2<sup>64</sup> − 1469 from one state to the next. */
  private static final long FACTOR = -1469;

  private static final HashStrategy<byte[]> STRATEGY =
      HashStrategy.of("dcso-fnv1-64", DcsoBloomFilter::fnv1, new byte[] {'b', 'a', 'r'});

  /** What filters that merge have in common. */
  private record Dimensions(FilterPlan plan, int hashes, long positions) {

    int wordCount() {
      return (int) ((positions + Long.SIZE - 1) / Long.SIZE);
    }
  }

  private final Dimensions dimensions;
  private final int hashes;
  private final long positions;
  private final long[] words;
  private final byte[] data;
  private long count;

  private DcsoBloomFilter(Dimensions dimensions, long[] words, long count, byte[] data) {
    this.dimensions = dimensions;
    this.hashes = dimensions.hashes;
    this.positions = dimensions.positions;
    this.words = words;
    this.count = count;
    this.data = data;
  }

  /**
   * Returns an empty filter of the size that {@code bloom create} chooses.
   *
   * @param expectedInsertions the number of distinct elements planned for, at least 1
   * @param fpp the planned false-positive probability at that number, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would need
   *     no bit, more than 64 hashes or more than one array (16 GiB)
   */
  public static DcsoBloomFilter create(long expectedInsertions, double fpp) {
    Dimensions planned = planned(expectedInsertions, fpp);
    return new DcsoBloomFilter(planned, WordArrays.allocate(planned.wordCount()), 0, new byte[0]);
  }

  /**
   * Returns the layout of the filter that {@link #create} returns, without allocating the filter.
   *
   * @throws IllegalArgumentException as for {@link #create}
   */
  public static FilterLayout layout(long expectedInsertions, double fpp) {
    Dimensions planned = planned(expectedInsertions, fpp);
    return FilterLayout.of(
        new FlatShape(planned.positions, planned.hashes), (long) planned.wordCount() * Long.BYTES);
  }

  private static Dimensions planned(long elements, double fpp) {
    FilterPlan plan = new FilterPlan(elements, fpp);
    double ln2 = StrictMath.log(2);
    double bits = Math.abs(Math.ceil(elements * StrictMath.log(fpp) / (ln2 * ln2)));
    double perElement = Math.ceil(ln2 * bits / elements);
    if (!(bits >= 1 && bits <= (double) WordArrays.MAX_LENGTH * Long.SIZE)
        || perElement > FlatShape.MAX_HASHES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expectedInsertions=%d and fpp=%s need %.0f bits and %.0f hashes, but only 1 to %d"
                  + " bits and 1 to %d hashes are supported",
              elements,
              fpp,
              bits,
              perElement,
              (long) WordArrays.MAX_LENGTH * Long.SIZE,
              FlatShape.MAX_HASHES));
    }
    return new Dimensions(plan, (int) perElement, (long) bits);
  }

  /**
   * Reads a filter from a file. Whatever follows the bits becomes its {@link #data}.
   *
   * @throws FilterFormatException as for {@link #readFrom(InputStream)}
   * @throws IOException if the file cannot be read
   */
  public static DcsoBloomFilter readFrom(Path file) throws IOException {
    return InteropFormat.readFrom(file, DcsoBloomFilter::readFrom);
  }

  /**
   * Reads a filter to the end of the stream. Whatever follows the bits becomes its {@link #data}.
   *
   * @param in need not be buffered; not closed
   * @throws FilterFormatException if the stream ends too early, a field of the header is out of its
   *     range, or a bit beyond the last position is set
   * @throws IOException if the stream fails
   */
  public static DcsoBloomFilter readFrom(InputStream in) throws IOException {
    Objects.requireNonNull(in, "in");
    ByteBuffer header =
        ByteBuffer.wrap(FORMAT.readHeader(in, HEADER_BYTES, 0)).order(ByteOrder.LITTLE_ENDIAN);
    requireRange(header, 0, "the version", VERSION, VERSION);
    double fpp = header.getDouble(FPP_AT);
    requireRange(
        header,
        ELEMENTS_AT,
        "the planned number of elements",
        1,
        FilterPlan.MAX_EXPECTED_INSERTIONS);
    if (!(fpp > 0 && fpp < 1)) {
      throw FORMAT.malformed(FPP_AT, "the planned rate must be in (0, 1), got %s", fpp);
    }
    requireRange(header, HASHES_AT, "the number of hashes", 1, FlatShape.MAX_HASHES);
    requireRange(
        header, POSITIONS_AT, "the number of bits", 1, (long) WordArrays.MAX_LENGTH * Long.SIZE);
    requireRange(header, COUNT_AT, "the number of additions", 0, Long.MAX_VALUE);
    Dimensions read =
        new Dimensions(
            new FilterPlan(header.getLong(ELEMENTS_AT), fpp),
            (int) header.getLong(HASHES_AT),
            header.getLong(POSITIONS_AT));
    long[] words = FORMAT.readWords(in, read.wordCount(), HEADER_BYTES);
    int used = (int) (read.positions % Long.SIZE);
    if (used != 0 && words[words.length - 1] >>> used != 0) {
      throw FORMAT.malformed(
          HEADER_BYTES + (words.length - 1L) * Long.BYTES,
          "a bit beyond the last of %d bits is set",
          read.positions);
    }
    return new DcsoBloomFilter(read, words, header.getLong(COUNT_AT), in.readAllBytes());
  }

  private static void requireRange(ByteBuffer header, int at, String what, long least, long most)
      throws FilterFormatException {
    long value = header.getLong(at);
    if (value < least || value > most) {
      throw FORMAT.malformed(
          at,
          "%s must be %s, got %s",
          what,
          least == most ? String.valueOf(least) : "in [" + least + ", " + most + "]",
          Long.toUnsignedString(value));
    }
  }

  /** Returns the hash of 64 bits of an element by FNV-1, which multiplies first. */
  private static long fnv1(byte[] element) {
    long hash = FNV_OFFSET;
    for (byte b : element) {
      hash *= FNV_PRIME;
      hash ^= b & 0xff;
    }
    return hash;
  }

  /** Returns a number modulo {@link #MODULUS}. */
  private static long reduced(long number) {
    return Long.compareUnsigned(number, MODULUS) >= 0 ? number - MODULUS : number;
  }

  @Override
  public boolean mightContain(byte[] element) {
    return mightContainHash(fnv1(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean mightContainHash(long hash) {
    long state = reduced(hash);
    for (int i = 0; i < hashes; i++) {
      state = reduced(state * FACTOR);
      long position = Long.remainderUnsigned(state, positions);
      if ((words[(int) (position / Long.SIZE)] >>> position & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean add(byte[] element) {
    return addHash(fnv1(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean addHash(long hash) {
    long state = reduced(hash);
    boolean isNew = false;
    for (int i = 0; i < hashes; i++) {
      state = reduced(state * FACTOR);
      long position = Long.remainderUnsigned(state, positions);
      int word = (int) (position / Long.SIZE);
      long before = words[word];
      words[word] = before | 1L << position;
      isNew |= words[word] != before;
    }
    count += isNew && count < Long.MAX_VALUE ? 1 : 0; // a larger one could not be read again
    return isNew;
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
    count = 0;
  }

  /** Returns whether an object is such a filter with the same n, p, k and m. */
  @Override
  public boolean isCompatible(MembershipFilter<?> other) {
    return Objects.requireNonNull(other, "other") instanceof DcsoBloomFilter filter
        && dimensions.equals(filter.dimensions);
  }

  /**
   * {@inheritDoc} Adds up the numbers of additions and keeps the data of this filter, as {@code
   * bloom join} does.
   *
   * @throws IllegalArgumentException if n, p, k or m differ, or if the number of additions would
   *     not fit into 63 bits; nothing is changed
   */
  @Override
  public void merge(DcsoBloomFilter other) {
    if (!isCompatible(other)) {
      throw new IllegalArgumentException(
          "cannot merge: this is "
              + this
              + ", other is "
              + other
              + "; build both with the same expected number and rate");
    }
    if (count > Long.MAX_VALUE - other.count) {
      throw new IllegalArgumentException(
          "cannot merge: " + count + " + " + other.count + " additions do not fit into 63 bits");
    }
    count += other.count;
    for (int i = 0; i < words.length; i++) {
      words[i] |= other.words[i];
    }
  }

  @Override
  public DcsoBloomFilter copy() {
    return new DcsoBloomFilter(dimensions, WordArrays.copyOf(words), count, data);
  }

  /**
   * Returns the present rate (X/m)<sup>k</sup> for X set bits. The cost is a pass over the bits.
   */
  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(setPositions(), positions, hashes);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofFlat(
        positions, hashes, Long.SIZE, word -> Long.bitCount(words[(int) word]), lines);
  }

  /** {@inheritDoc} Computed from the fill. The cost is a pass over the bits. */
  @Override
  public long approximateElementCount() {
    return Math.round(BloomFormulas.estimatedElements(setPositions(), positions, hashes));
  }

  /**
   * Returns the number of additions that set a bit, at most 2<sup>63</sup> − 1; merging adds up
   * these numbers.
   */
  @Override
  public OptionalLong elementCount() {
    return OptionalLong.of(count);
  }

  @Override
  public Optional<FilterPlan> plan() {
    return Optional.of(dimensions.plan);
  }

  @Override
  public long positions() {
    return positions;
  }

  @Override
  public int hashes() {
    return hashes;
  }

  /** Returns the number of set bits. The cost is a pass over the bits. */
  @Override
  public long setPositions() {
    return WordArrays.countBits(words);
  }

  /** Returns a copy of the data that follows the bits in a file; empty if there is none. */
  public byte[] data() {
    return data.clone();
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public HashStrategy<byte[]> strategy() {
    return STRATEGY;
  }

  /**
   * Writes the bytes that {@code bloom} writes: a header of 48 bytes, the bits and the data.
   *
   * @param out need not be buffered; neither flushed nor closed
   * @throws IOException if the stream fails
   */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    Objects.requireNonNull(out, "out");
    out.write(
        ByteBuffer.allocate(HEADER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(VERSION)
            .putLong(dimensions.plan.expectedInsertions())
            .putDouble(dimensions.plan.fpp())
            .putLong(hashes)
            .putLong(positions)
            .putLong(count)
            .array());
    FORMAT.writeWords(out, words.length, i -> words[i]);
    out.write(data);
  }

  @Override
  public byte[] toBytes() {
    return InteropFormat.toBytes(HEADER_BYTES + memoryBytes() + data.length, this::writeTo);
  }

  /**
   * Returns whether an object is a {@linkplain #isCompatible compatible} filter with the same bits.
   * Number of additions and data do not matter. The cost is a pass over the bits.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof DcsoBloomFilter other
        && dimensions.equals(other.dimensions)
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code that changes with the bits. The cost is a pass over the bits. */
  @Override
  public int hashCode() {
    return Objects.hash(dimensions, Arrays.hashCode(words));
  }

  /** Returns plan and size, for logs and debuggers. Takes constant time. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "DcsoBloomFilter[n=%d, p=%s, k=%d, m=%d]",
        dimensions.plan.expectedInsertions(),
        dimensions.plan.fpp(),
        hashes,
        positions);
  }
}
