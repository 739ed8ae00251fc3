package io.bloomkit.format;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.format.ContentsDelta;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The difference between two versions of a filter. If few elements changed, a delta takes far fewer
 * bytes than the filter. Deltas keep replicas of a filter up to date:
 *
 * <pre>{@code
 * byte[] change = Delta.between(yesterday, today).toBytes();
 * ...
 * ClassicBloomFilter<String> updated =
 *     Delta.fromBytes(change)
 *         .apply(copy, bytes -> ClassicBloomFilter.fromBytes(bytes, HashStrategies.utf8()));
 * }</pre>
 *
 * <p>A delta applies to one version of one filter, its base. It contains the {@linkplain
 * #fingerprintOf fingerprints} of the base and of the result, so {@code apply} throws an exception
 * for any other base. For example, a base does not fit if an earlier delta was not applied to it,
 * or if this delta was already applied to it.
 *
 * <p>Deltas exist for every kind of filter. Both versions must have the same class, strategy and
 * size, except that a filter that consists of layers may have gained or lost layers. The delta
 * contains each new layer in full.
 *
 * <p>The length of a delta is close to the entropy of the changed bits: about c · (log₂(N / c) +
 * 1.44) bits if c of N bits changed and c is at most N / 10. Example: if 1,000 elements are
 * replaced in a filter of a million elements with a false-positive rate of 1 %, the delta takes
 * about 10 kB and the filter 1.2 MB. docs/format.md specifies the bytes.
 *
 * <p>Immutable and thread-safe.
 */
public final class Delta {

  private final ContentsDelta delta;

  private Delta(ContentsDelta delta) {
    this.delta = delta;
  }

  /**
   * A function that reads a filter from the bytes of its file, such as {@code bytes ->
   * ClassicBloomFilter.fromBytes(bytes, strategy)}.
   *
   * @param <F> the type of the filter
   */
  @FunctionalInterface
  public interface Reader<F> {

    /**
     * Reads a filter.
     *
     * @throws FilterFormatException if the bytes are not a valid filter of the expected class and
     *     strategy
     */
    F fromBytes(byte[] bytes) throws FilterFormatException;
  }

  /**
   * Returns the delta from one version of a filter to another. Costs several passes over both
   * versions. Concurrent filters may be changed meanwhile; the delta is between snapshots of them.
   *
   * @param base the version that the receiver has
   * @param changed the version that the receiver will have
   * @throws IllegalArgumentException if the two differ in class, strategy or the lengths of their
   *     arrays (apart from gained or lost layers), so they are not versions of one filter; or if
   *     {@code changed} takes more than 64 KiB plus 16 times the sum of two sizes, that of {@code
   *     base} and that of the coded changes; or if the coded changes do not fit into one array. In
   *     the last two cases, send {@code changed} as a whole.
   * @throws NullPointerException if an argument is null
   */
  public static Delta between(StorableFilter<?> base, StorableFilter<?> changed) {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(changed, "changed");
    return new Delta(ContentsDelta.between(FilterContents.of(base), FilterContents.of(changed)));
  }

  /**
   * Returns the delta from one version of a filter to another, both read from files of any kind and
   * strategy.
   *
   * @throws IllegalArgumentException as for {@link #between(StorableFilter, StorableFilter)}
   * @throws NullPointerException if an argument is null
   */
  public static Delta between(StoredFilter base, StoredFilter changed) {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(changed, "changed");
    return new Delta(ContentsDelta.between(base.contents(), changed.contents()));
  }

  /**
   * Returns the filter that this delta produces from a base read from a file of any kind and
   * strategy. Whether its contents are possible for its kind is checked when it is next read.
   *
   * @throws IllegalArgumentException as for {@link #apply(StorableFilter, Reader)}
   * @throws NullPointerException if the base is null
   */
  public StoredFilter apply(StoredFilter base) {
    Objects.requireNonNull(base, "base");
    return new StoredFilter(delta.apply(base.contents()));
  }

  /**
   * Returns the filter that this delta produces from a base. The base is not modified, and no other
   * thread may modify the base during the call. The call temporarily needs up to three times the
   * memory of the result.
   *
   * <p>If the base is not the version that this delta applies to, the message of the exception
   * states whether the base seems to be an older version, a newer version or another filter. This
   * statement is an estimate from up to 64 of the changed bits, and can be wrong.
   *
   * @param base the version that this delta applies to
   * @param reader reads the resulting filter, and decides whether that filter is concurrent
   * @throws IllegalArgumentException if the base is another version or another filter, or if this
   *     delta is forged and does not produce the version with {@link #resultFingerprint()}
   * @throws FilterFormatException if this delta is forged and does not produce a valid filter
   * @throws IllegalStateException if an array cannot hold the bytes of the result's file
   * @throws NullPointerException if an argument is null
   */
  public <F extends StorableFilter<?>> F apply(F base, Reader<F> reader)
      throws FilterFormatException {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(reader, "reader");
    return reader.fromBytes(delta.apply(FilterContents.of(base)).toBytes());
  }

  /**
   * Reads a delta from a stream. Reads no byte beyond the delta.
   *
   * @param in not closed; needs no buffering
   * @throws FilterFormatException if the bytes are damaged, truncated or not a delta
   * @throws IOException if the stream fails
   */
  public static Delta readFrom(InputStream in) throws IOException {
    return new Delta(FilterReader.readFrom(in, ContentsDelta::read));
  }

  /**
   * Reads a delta from a file that contains nothing else.
   *
   * @throws FilterFormatException if the file is damaged, truncated or not a delta, or if bytes
   *     follow the delta
   * @throws IOException if the file cannot be read
   */
  public static Delta readFrom(Path file) throws IOException {
    return new Delta(FilterReader.readFrom(file, ContentsDelta::read));
  }

  /**
   * Reads a delta from the bytes that {@link #toBytes} returned.
   *
   * @throws FilterFormatException if the bytes are damaged, truncated or not a delta, or if bytes
   *     follow the delta
   */
  public static Delta fromBytes(byte[] bytes) throws FilterFormatException {
    return new Delta(FilterReader.fromBytes(bytes, ContentsDelta::read));
  }

  /**
   * Writes this delta to a stream. Other deltas may be written to the same stream before and after
   * this one.
   *
   * @param out neither flushed nor closed; needs no buffering
   * @throws IOException if the stream fails
   */
  public void writeTo(OutputStream out) throws IOException {
    delta.contents().writeTo(out);
  }

  /**
   * Writes this delta to a file by atomic replace, as {@link StorableFilter#writeTo(Path)} does.
   *
   * @throws IOException as for {@link StorableFilter#writeTo(Path)}
   */
  public void writeTo(Path file) throws IOException {
    delta.contents().writeTo(file);
  }

  /**
   * Returns the bytes that {@link #writeTo(OutputStream)} writes.
   *
   * @throws IllegalStateException if an array cannot hold the bytes: use a stream or a file
   */
  public byte[] toBytes() {
    return delta.contents().toBytes();
  }

  /**
   * Returns a 64-bit hash of a filter's class, strategy, size and contents, which identifies its
   * version. Equal filters have equal fingerprints, with the exceptions that {@link StorableFilter}
   * lists. Two different filters have equal fingerprints with probability 2<sup>−64</sup>, unless a
   * file is forged. The element count and the plan have no effect, as in {@code equals} of filters.
   * Costs a pass over the filter.
   *
   * @throws NullPointerException if the filter is null
   */
  public static long fingerprintOf(StorableFilter<?> filter) {
    return FilterContents.of(filter).fingerprint();
  }

  /**
   * Returns the {@linkplain #fingerprintOf fingerprint} of the version that this delta applies to.
   */
  public long baseFingerprint() {
    return delta.baseFingerprint();
  }

  /**
   * Returns the {@linkplain #fingerprintOf fingerprint} of the version that this delta produces.
   */
  public long resultFingerprint() {
    return delta.resultFingerprint();
  }

  /**
   * Returns the class name and strategy of the filter and the fingerprints of both versions, for
   * logs.
   */
  @Override
  public String toString() {
    return delta.toString();
  }
}
