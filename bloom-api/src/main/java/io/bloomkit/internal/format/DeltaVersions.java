package io.bloomkit.internal.format;

import io.bloomkit.internal.AscendingDifference;
import io.bloomkit.internal.Words;
import java.util.List;
import java.util.Locale;

/**
 * The identities of the old and the new version of a {@link ContentsDelta}: the fingerprints of
 * their contents, and up to 64 bits of the old version, which help to classify any other version.
 *
 * <p>At the places that the delta changes, an even older version nearly always has the bits of the
 * old version, because few of these bits changed before. An even newer version nearly always has
 * the bits of the new version. Another filter agrees with each of them in about half of the bits.
 * Sixty-four places suffice to distinguish these cases; fingerprints cannot.
 *
 * @param before the fingerprint of the old version, which the delta applies to
 * @param after the fingerprint of the new version, which the delta produces
 * @param sample bits of the old version, as {@link #sample(List, List, long[])} returns them
 */
record DeltaVersions(long before, long after, long sample) {

  private static final int MAX_SAMPLES = Long.SIZE;

  /** With fewer samples, another filter would agree by chance with a probability above 1/500. */
  private static final int MIN_SAMPLES = 16;

  /** One sample in this number may disagree. */
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
   * Returns bits of a version at places that the delta changes. Let c be the number of changes in
   * all sections that are not inverted, and s = min(64, c). Bit i of the result is the bit of the
   * version at the lowest bit changed by change ⌊i · c / s⌋, or 0 if the version has no such word.
   *
   * @param version the words of the version for each section
   */
  static long sample(List<Words> version, List<ChangedSection> sections, long[] code) {
    long changes = changes(sections);
    int samples = samples(sections);
    long sample = 0;
    int sampleCount = 0;
    long change = 0;
    for (int i = 0; i < sections.size(); i++) {
      if (sections.get(i).inverted()) {
        continue;
      }
      ChangeReader reader = new ChangeReader(code, sections.get(i));
      while (reader.next()) {
        if (change == sampleCount * changes / samples) {
          boolean isSet =
              sections.get(i).role().isAscending()
                  ? AscendingDifference.contains(version.get(i), reader.unit())
                  : (word(version.get(i), reader.word()) & Long.lowestOneBit(reader.mask())) != 0;
          sample |= isSet ? 1L << sampleCount : 0;
          sampleCount++;
        }
        change++;
      }
    }
    return sample;
  }

  private static long word(Words words, long index) {
    return index < words.size() ? words.get(index) : 0;
  }

  /** Describes a base that is not the old version, for an error message. */
  String describe(
      long fingerprint, List<Words> version, List<ChangedSection> sections, long[] code) {
    if (fingerprint == after) {
      return "base is that newer version already: the delta was applied before";
    }
    int samples = samples(sections);
    int matches = samples - Long.bitCount(sample(version, sections, code) ^ sample);
    String kind;
    if (samples < MIN_SAMPLES) {
      kind =
          "another version or another filter: apply any deltas in between first, or fetch the whole"
              + " filter";
    } else if (SAMPLES_PER_ERROR * (samples - matches) <= samples) {
      kind =
          "probably an older version ("
              + describeMatches(matches, samples)
              + "): apply the deltas in between first, or fetch the whole filter";
    } else if (SAMPLES_PER_ERROR * matches <= samples) {
      kind =
          "probably a newer version ("
              + describeMatches(matches, samples)
              + "): then this delta came too late, leave it out; if it is a copy of another filter,"
              + " merge the filters instead";
    } else {
      kind = "another filter (" + describeMatches(matches, samples) + "): fetch the whole filter";
    }
    return String.format(Locale.ROOT, "base is %016x, %s", fingerprint, kind);
  }

  private static String describeMatches(int matches, int samples) {
    String some = matches == 0 ? "none of" : matches + " of";
    return (matches == samples ? "all" : some) + " " + samples + " changed bits agree";
  }
}
