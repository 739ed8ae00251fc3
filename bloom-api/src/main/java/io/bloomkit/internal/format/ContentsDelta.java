package io.bloomkit.internal.format;

import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The difference between the contents of two versions of a filter. docs/format.md specifies the
 * bytes. Immutable and thread-safe.
 */
public final class ContentsDelta {

  /**
   * Upper bound of the size of the result, as a multiple of the sizes of base and delta together.
   */
  private static final int MAX_EXPANSION = 16;

  /** Number of bytes added to this bound, so that a small filter can grow. */
  private static final long EXTRA_BYTES = 64 << 10;

  /** The header of the result. */
  private final FilterContents.Metadata metadata;

  private final List<ChangedSection> sections;
  private final long[] code;
  private final DeltaVersions versions;

  ContentsDelta(
      FilterContents.Metadata metadata,
      List<ChangedSection> sections,
      long[] code,
      DeltaVersions versions) {
    this.metadata = metadata;
    this.sections = sections;
    this.code = code;
    this.versions = versions;
  }

  /** Returns the delta from one version of a filter to another, as {@code Delta} describes. */
  public static ContentsDelta between(FilterContents base, FilterContents changed) {
    requireSameKind(base, changed);
    ChangeWriter writer = new ChangeWriter();
    List<ChangedSection> sections = new ArrayList<>();
    List<Words> before = SectionPairs.oldWords(base, SectionPairs.kinds(changed));
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
    ContentsDelta delta =
        new ContentsDelta(changed.metadata(), List.copyOf(sections), code, versions);
    if (delta.resultBytes() > delta.maxResultBytes(base)) {
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
    FilterContents.Metadata before = base.metadata();
    FilterContents.Metadata after = changed.metadata();
    if (before.variant() != after.variant()
        || before.variant() == Variant.DELTA.code()
        || !before.strategy().equals(after.strategy())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a delta is between two versions of one filter, but base is a %s of strategy %s and"
                  + " changed a %s of strategy %s",
              Variant.name(before.variant()),
              before.strategy(),
              Variant.name(after.variant()),
              after.strategy()));
    }
    if (!SectionPairs.areVersions(base, SectionPairs.kinds(changed))) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a delta is between two versions of one filter, of one size, but base has %d bytes and"
                  + " changed %d; build both with the same options, or send the changed one as a"
                  + " whole",
              bytes(base),
              bytes(changed)));
    }
  }

  private long resultBytes() {
    return Long.BYTES * sections.stream().mapToLong(ChangedSection::wordCount).sum();
  }

  private long maxResultBytes(FilterContents base) {
    return MAX_EXPANSION * (bytes(base) + (long) Long.BYTES * code.length) + EXTRA_BYTES;
  }

  private static long bytes(FilterContents contents) {
    return Long.BYTES
        * contents.sections().stream().mapToLong(section -> section.words().size()).sum();
  }

  /**
   * Returns the contents of the filter that this delta produces from a base, in new arrays.
   *
   * @throws IllegalArgumentException if the base is another version, or this delta is forged
   */
  public FilterContents apply(FilterContents base) {
    int variant = base.metadata().variant();
    StrategyIdentity strategy = base.metadata().strategy();
    if (variant != metadata.variant() || !strategy.equals(metadata.strategy())) {
      throw inapplicable(
          String.format(
              Locale.ROOT,
              "base is another filter, a %s of strategy %s",
              Variant.name(variant),
              strategy));
    }
    List<SectionPairs.Kind> kinds =
        sections.stream().map(ChangedSection::kind).collect(Collectors.toUnmodifiableList());
    boolean sizeDiffers = !SectionPairs.areVersions(base, kinds);
    List<Words> before = SectionPairs.oldWords(base, kinds);
    long fingerprint = base.fingerprint();
    if (fingerprint != versions.before()) {
      throw inapplicable(
          sizeDiffers
              ? "base is another filter, of another size: fetch the whole filter"
              : versions.describe(fingerprint, before, sections, code));
    }
    if (sizeDiffers || resultBytes() > maxResultBytes(base)) {
      throw inapplicable("it leads to a filter of another size: it was forged");
    }
    FilterContents.Builder result =
        FilterContents.of(metadata.variant(), strategy, metadata.fields())
            .elementCount(metadata.elementCount(), 0, Long.MAX_VALUE)
            .plan(metadata.plan());
    for (int i = 0; i < sections.size(); i++) {
      result.section(sections.get(i).role(), applyChanges(before.get(i), sections.get(i)));
    }
    FilterContents contents = result.build();
    if (contents.fingerprint() != versions.after()) {
      throw inapplicable("it leads to another version than it says: it was forged");
    }
    return contents;
  }

  private long[] applyChanges(Words base, ChangedSection section) {
    if (section.wordCount() > WordArrays.MAX_LENGTH) {
      throw inapplicable(
          "it leads to a section of " + section.wordCount() + " words, more than an array");
    }
    long[] words = WordArrays.allocate((int) section.wordCount());
    if (section.role().isAscending()) {
      Words numbers = section.inverted() ? new Words.OfLongs(words, 0, 0) : base;
      if (!new ChangeReader(code, section).changeNumbers(numbers, words)) {
        throw inapplicable("it leads to more or fewer numbers than it says: it was forged");
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

  private IllegalArgumentException inapplicable(String reason) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "the delta leads a %s of strategy %s from version %016x to %016x, but %s",
            Variant.name(metadata.variant()),
            metadata.strategy(),
            versions.before(),
            versions.after(),
            reason));
  }

  public static ContentsDelta read(FilterReader reader) throws IOException {
    return DeltaFormat.read(reader);
  }

  public FilterContents contents() {
    return DeltaFormat.contents(metadata, sections, code, versions);
  }

  /** Returns the fingerprint of the version that this delta applies to. */
  public long baseFingerprint() {
    return versions.before();
  }

  /** Returns the fingerprint of the version that this delta produces. */
  public long resultFingerprint() {
    return versions.after();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Delta[%s, from=%016x, to=%016x, strategy=%s]",
        Variant.name(metadata.variant()),
        versions.before(),
        versions.after(),
        metadata.strategy().id());
  }
}
