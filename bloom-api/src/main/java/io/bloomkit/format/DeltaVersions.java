package io.bloomkit.format;

import io.bloomkit.internal.AscendingDifference;
import io.bloomkit.internal.Words;
import java.util.List;
import java.util.Locale;

/**
 * The two versions of a filter that a {@link Delta} lies between, by the fingerprints of their
 * contents, and a few bits of the first by which a third version can be placed.
 *
 * <p>A version some steps older than the first has, at the places that change, nearly always the
 * bits of the first, since few of them have changed before; a newer one those of the second; and
 * another filter half of each. Sixty-four places are enough to tell these apart, where no
 * fingerprint can.
 *
 * @param before the fingerprint of the version that the delta fits
 * @param after the fingerprint of the version that it leads to
 * @param sample bits of the version before: see {@link #sample}
 */
record DeltaVersions(long before, long after, long sample) {

  private static final int MAX_SAMPLES = Long.SIZE;

  /** With fewer, another filter would agree by chance more often than once in 500. */
  private static final int FEWEST_SAMPLES = 16;

  /** Of how many samples one may be wrong. */
  private static final int SAMPLES_PER_ERROR = 8;

  /** Returns the number of changes to sample. */
  static int samples(List<ChangedSection> sections) {
    return (int) Math.min(MAX_SAMPLES, changes(sections));
  }

  private static long changes(List<ChangedSection> sections) {
    return sections.stream()
        .filter(section -> !section.inverted())
        .mapToLong(ChangedSection::changes)
        .sum();
  }

  /**
   * Returns bits of a version at places where the delta changes it. With c changes in all sections
   * together that are not inverted, and s = min(64, c), bit i is the bit of the version at the
   * lowest bit that change ⌊i · c / s⌋ changes, or 0 if the version has no such word.
   *
   * @param version the words that the version has for each section
   */
  static long sample(List<Words> version, List<ChangedSection> sections, long[] code) {
    long changes = changes(sections);
    int samples = samples(sections);
    long sample = 0;
    int taken = 0;
    long change = 0;
    for (int i = 0; i < sections.size(); i++) {
      if (sections.get(i).inverted()) {
        continue;
      }
      ChangeReader reader = new ChangeReader(code, sections.get(i));
      while (reader.next()) {
        if (change == taken * changes / samples) {
          boolean isSet =
              sections.get(i).role().isAscending()
                  ? AscendingDifference.contains(version.get(i), reader.unit())
                  : (word(version.get(i), reader.word()) & Long.lowestOneBit(reader.mask())) != 0;
          sample |= isSet ? 1L << taken : 0;
          taken++;
        }
        change++;
      }
    }
    return sample;
  }

  private static long word(Words words, long index) {
    return index < words.size() ? words.get(index) : 0;
  }

  /** Says what a version is that is not the one before. */
  String describe(
      long fingerprint, List<Words> version, List<ChangedSection> sections, long[] code) {
    if (fingerprint == after) {
      return "base is that newer version already: the delta was applied before";
    }
    int samples = samples(sections);
    int alike = samples - Long.bitCount(sample(version, sections, code) ^ sample);
    String kind;
    if (samples < FEWEST_SAMPLES) {
      kind = "another version or another filter";
    } else if (SAMPLES_PER_ERROR * (samples - alike) <= samples) {
      kind = "an older version: apply the deltas in between first, or fetch the whole filter";
    } else if (SAMPLES_PER_ERROR * alike <= samples) {
      kind = "a newer version: this delta came too late, leave it out";
    } else {
      kind = "another filter";
    }
    return String.format(
        Locale.ROOT,
        "base is %016x, by %d of %d bits that change %s",
        fingerprint,
        alike,
        samples,
        kind);
  }
}
