package io.bloomkit.format;

import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.Words;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;

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
 * FilterContents#fingerprint() fingerprints} of the base and of the result, so {@code apply} throws
 * an exception for any other base. For example, a base does not fit if an earlier delta was not
 * applied to it, or if this delta was already applied to it.
 *
 * <p>Deltas exist for every kind of filter. Both versions must have the same class, strategy and
 * size, except that a filter that consists of layers may have gained or lost layers. The delta
 * contains each new layer in full.
 *
 * <p>The length of a delta is close to the entropy of the changed bits: about c · (log₂(N / c) +
 * 1.44) bits if c of N bits changed and c is at most N / 10. Example: if 1,000 elements are
 * replaced in a filter of a million elements with a false-positive rate of 1 %, the delta takes
 * about 10 kB and the filter 1.2 MB. docs/format.md specifies the bytes and derives these figures.
 *
 * <p>Immutable and thread-safe.
 */
public final class Delta {

  /**
   * Upper bound of the size of the result, as a multiple of the sizes of base and delta together.
   */
  private static final int MAX_EXPANSION = 16;

  /** Number of bytes added to this bound, so that a small filter can grow. */
  private static final long FREE_BYTES = 64 << 10;

  /** The header of the result. */
  private final FilterContents.Subject subject;

  private final List<ChangedSection> sections;
  private final long[] code;
  private final DeltaVersions versions;

  Delta(
      FilterContents.Subject subject,
      List<ChangedSection> sections,
      long[] code,
      DeltaVersions versions) {
    this.subject = subject;
    this.sections = sections;
    this.code = code;
    this.versions = versions;
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
   * versions. Must not run concurrently with writers of either version; a happens-before edge from
   * earlier writes is required.
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
    return between(base.contents(), changed.contents());
  }

  /**
   * Equivalent to {@link #between(StorableFilter, StorableFilter)} for filters with these contents.
   * For tools, which read the contents of any kind of filter by {@link FilterContents#read}.
   *
   * @throws IllegalArgumentException as for {@link #between(StorableFilter, StorableFilter)}
   * @throws NullPointerException if an argument is null
   */
  public static Delta between(FilterContents base, FilterContents changed) {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(changed, "changed");
    requireSameKind(base, changed);
    ChangeWriter writer = new ChangeWriter();
    List<ChangedSection> sections = new ArrayList<>();
    List<Words> before = SectionPairs.wordsBefore(base, SectionPairs.kinds(changed));
    for (int i = 0; i < before.size(); i++) {
      FilterContents.Section section = changed.sections().get(i);
      sections.add(writer.write(section.role(), before.get(i), section.words()));
    }
    long[] code = writer.code();
    DeltaVersions versions =
        new DeltaVersions(
            base.fingerprint(),
            changed.fingerprint(),
            DeltaVersions.sample(before, sections, code));
    Delta delta = new Delta(changed.subject(), List.copyOf(sections), code, versions);
    if (delta.resultBytes() > delta.mostResultBytes(base)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the changed filter has %d bytes, more than %d times what the base and the changes"
                  + " take: send it as a whole",
              delta.resultBytes(),
              MAX_EXPANSION));
    }
    return delta;
  }

  private static void requireSameKind(FilterContents base, FilterContents changed) {
    FilterContents.Subject before = base.subject();
    FilterContents.Subject after = changed.subject();
    if (before.variant().code() != after.variant().code()
        || before.variant().code() == FilterVariant.DELTA.code()
        || !before.strategy().equals(after.strategy())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a delta is between two versions of one filter, but base is a %s of strategy %s and"
                  + " changed a %s of strategy %s",
              before.variant().name(),
              before.strategy(),
              after.variant().name(),
              after.strategy()));
    }
    OptionalInt misfit = SectionPairs.misfit(base, SectionPairs.kinds(changed));
    if (misfit.isPresent()) {
      FilterContents.Section has = base.sections().get(misfit.getAsInt());
      FilterContents.Section wants = changed.sections().get(misfit.getAsInt());
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a delta is between two versions of one filter, but section %d of base is %s of %d"
                  + " words and that of changed %s of %d",
              misfit.getAsInt(),
              has.role(),
              has.words().size(),
              wants.role(),
              wants.words().size()));
    }
  }

  private long resultBytes() {
    return Long.BYTES * sections.stream().mapToLong(ChangedSection::words).sum();
  }

  private long mostResultBytes(FilterContents base) {
    long baseWords = base.sections().stream().mapToLong(section -> section.words().size()).sum();
    return MAX_EXPANSION * Long.BYTES * (baseWords + code.length) + FREE_BYTES;
  }

  /**
   * Returns the filter that this delta produces from a base. The base is not modified, and no other
   * thread may modify the base during the call. The call temporarily needs up to three times the
   * memory of the result; {@link #apply(FilterContents)} needs the memory of the result only.
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
   * @throws IllegalStateException if an array cannot hold the bytes of the result's file: use
   *     {@link #apply(FilterContents)}
   * @throws NullPointerException if an argument is null
   */
  public <F extends StorableFilter<?>> F apply(F base, Reader<F> reader)
      throws FilterFormatException {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(reader, "reader");
    return reader.fromBytes(apply(base.contents()).toBytes());
  }

  /**
   * Returns the contents of the filter that this delta produces from a base, in new arrays. For
   * tools, which read the contents of any kind of filter by {@link FilterContents#read}.
   *
   * @throws IllegalArgumentException as for {@link #apply(StorableFilter, Reader)}
   * @throws NullPointerException if the base is null
   */
  public FilterContents apply(FilterContents base) {
    Objects.requireNonNull(base, "base");
    FilterVariant variant = base.subject().variant();
    StrategyIdentity strategy = base.subject().strategy();
    if (variant.code() != subject.variant().code() || !strategy.equals(subject.strategy())) {
      throw misfit(
          String.format(
              Locale.ROOT,
              "base is another filter, a %s of strategy %s",
              variant.name(),
              strategy));
    }
    List<SectionPairs.Kind> kinds = sections.stream().map(ChangedSection::kind).toList();
    boolean isOfOtherSize = SectionPairs.misfit(base, kinds).isPresent();
    List<Words> before = SectionPairs.wordsBefore(base, kinds);
    long fingerprint = base.fingerprint();
    if (fingerprint != versions.before()) {
      throw misfit(
          isOfOtherSize
              ? "base is another filter, of another size"
              : versions.describe(fingerprint, before, sections, code));
    }
    if (isOfOtherSize || resultBytes() > mostResultBytes(base)) {
      throw misfit("it leads to a filter of another size: it was forged");
    }
    FilterContents.Builder result =
        FilterContents.of(subject.variant(), strategy, subject.fields())
            .elementCount(subject.elementCount(), 0, Long.MAX_VALUE)
            .plan(subject.plan());
    for (int i = 0; i < sections.size(); i++) {
      result.section(sections.get(i).role(), changedWords(before.get(i), sections.get(i)));
    }
    FilterContents contents = result.build();
    if (contents.fingerprint() != versions.after()) {
      throw misfit("it leads to another version than it says: it was forged");
    }
    return contents;
  }

  private long[] changedWords(Words base, ChangedSection section) {
    if (section.words() > WordArrays.MAX_LENGTH) {
      throw misfit("it leads to a section of " + section.words() + " words, more than an array");
    }
    long[] words = new long[(int) section.words()];
    if (section.role().isAscending()) {
      Words numbers = section.inverted() ? new Words.OfLongs(words, 0, 0) : base;
      if (!new ChangeReader(code, section).changeNumbers(numbers, words)) {
        throw misfit("it leads to more or fewer numbers than it says: it was forged");
      }
      return words;
    }
    long inversion = section.inverted() ? -1 : 0;
    for (int i = 0; i < words.length; i++) {
      words[i] = inversion ^ (i < base.size() ? base.get(i) : 0);
    }
    ChangeReader changes = new ChangeReader(code, section);
    while (changes.next()) {
      words[(int) changes.word()] ^= changes.mask();
    }
    return words;
  }

  private IllegalArgumentException misfit(String reason) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "the delta leads a %s of strategy %s from version %016x to %016x, but %s",
            subject.variant().name(),
            subject.strategy(),
            versions.before(),
            versions.after(),
            reason));
  }

  /**
   * Reads a delta from a stream. Reads no byte beyond the delta.
   *
   * @param in not closed; needs no buffering
   * @throws FilterFormatException if the bytes are damaged, truncated or not a delta
   * @throws IOException if the stream fails
   */
  public static Delta readFrom(InputStream in) throws IOException {
    return FilterReader.readFrom(in, DeltaFormat::read);
  }

  /**
   * Reads a delta from a file that contains nothing else.
   *
   * @throws FilterFormatException if the file is damaged, truncated or not a delta, or if bytes
   *     follow the delta
   * @throws IOException if the file cannot be read
   */
  public static Delta readFrom(Path file) throws IOException {
    return FilterReader.readFrom(file, DeltaFormat::read);
  }

  /**
   * Reads a delta from the bytes that {@link #toBytes} returned.
   *
   * @throws FilterFormatException if the bytes are damaged, truncated or not a delta, or if bytes
   *     follow the delta
   */
  public static Delta fromBytes(byte[] bytes) throws FilterFormatException {
    return FilterReader.fromBytes(bytes, DeltaFormat::read);
  }

  /**
   * Writes this delta to a stream. Other deltas may be written to the same stream before and after
   * this one.
   *
   * @param out neither flushed nor closed; needs no buffering
   * @throws IOException if the stream fails
   */
  public void writeTo(OutputStream out) throws IOException {
    contents().writeTo(out);
  }

  /**
   * Writes this delta to a file by atomic replace, as {@link FilterContents#writeTo(Path)} does.
   *
   * @throws IOException as for {@link FilterContents#writeTo(Path)}
   */
  public void writeTo(Path file) throws IOException {
    contents().writeTo(file);
  }

  /**
   * Returns the bytes that {@link #writeTo(OutputStream)} writes.
   *
   * @throws IllegalStateException if an array cannot hold the bytes: use a stream or a file
   */
  public byte[] toBytes() {
    return contents().toBytes();
  }

  private FilterContents contents() {
    return DeltaFormat.contents(subject, sections, code, versions);
  }

  /**
   * Returns the {@linkplain FilterContents#fingerprint() fingerprint} of the version that this
   * delta applies to.
   */
  public long baseFingerprint() {
    return versions.before();
  }

  /**
   * Returns the {@linkplain FilterContents#fingerprint() fingerprint} of the version that this
   * delta produces.
   */
  public long resultFingerprint() {
    return versions.after();
  }

  /**
   * Returns the class name and strategy of the filter and the fingerprints of both versions, for
   * logs.
   */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Delta[%s, from=%016x, to=%016x, strategy=%s]",
        subject.variant().name(),
        versions.before(),
        versions.after(),
        subject.strategy().id());
  }
}
