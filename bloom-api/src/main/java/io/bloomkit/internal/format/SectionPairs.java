package io.bloomkit.internal.format;

import io.bloomkit.internal.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Pairs each section of the new version of a filter with the section of the old version that it was
 * derived from. A {@link ContentsDelta} does not store the pairs: sender and receiver compute them
 * from the roles and sizes of the sections, as docs/format.md specifies.
 *
 * <p>A filter that grows and shrinks gains and loses layers, each with its own sections. The
 * remaining layers keep their order and size.
 */
final class SectionPairs {

  private static final int NONE = -1;

  private static final Words NO_WORDS = new Words.OfLongs(new long[0], 0, 0);

  /**
   * The properties of a section without its words.
   *
   * @param wordCount the number of words of the section
   */
  record Kind(SectionRole role, long wordCount) {

    /** Returns whether sections of this role keep their size. Only side tables change theirs. */
    boolean hasFixedSize() {
      return role.mayBeGapCoded();
    }

    /** Returns whether another section can be a later version of this one. */
    boolean canBecome(Kind other) {
      return role == other.role && (!hasFixedSize() || wordCount == other.wordCount);
    }
  }

  private SectionPairs() {}

  static List<Kind> kinds(FilterContents contents) {
    return contents.sections().stream()
        .map(section -> new Kind(section.role(), section.words().size()))
        .collect(Collectors.toUnmodifiableList());
  }

  /** Returns the old words of each section of the new version; no words if the section is new. */
  static List<Words> oldWords(FilterContents before, List<Kind> after) {
    List<Words> words = new ArrayList<>(after.size());
    for (int index : pairs(kinds(before), after)) {
      words.add(index == NONE ? NO_WORDS : before.sections().get(index).words());
    }
    return words;
  }

  /**
   * Returns, for each section of the new version, the index of its section in the old version, or
   * {@link #NONE}.
   */
  private static int[] pairs(List<Kind> before, List<Kind> after) {
    Map<Kind, TreeSet<Integer>> indexes = new HashMap<>();
    for (int i = 0; i < before.size(); i++) {
      indexes.computeIfAbsent(before.get(i), kind -> new TreeSet<>()).add(i);
    }
    int[] pairs = new int[after.size()];
    int next = 0;
    for (int i = 0; i < pairs.length; i++) {
      Kind kind = after.get(i);
      pairs[i] = NONE;
      if (next < before.size() && before.get(next).canBecome(kind)) {
        pairs[i] = next;
      } else if (kind.hasFixedSize()) {
        Integer later = indexes.getOrDefault(kind, new TreeSet<>()).ceiling(next);
        pairs[i] = later == null ? NONE : later;
      }
      if (pairs[i] != NONE) {
        next = pairs[i] + 1;
      }
    }
    return pairs;
  }

  /**
   * Returns whether the two can be versions of one filter: each section can have become the section
   * at the same index of the new version. If the first section is a table, others may be added or
   * removed, as long as one of a fixed size remains.
   */
  static boolean areVersions(FilterContents before, List<Kind> after) {
    List<Kind> kinds = kinds(before);
    if (startsWithTable(kinds) && startsWithTable(after) && sharesFixedSizeSection(kinds, after)) {
      return true;
    }
    for (int i = 0; i < Math.min(kinds.size(), after.size()); i++) {
      if (!kinds.get(i).canBecome(after.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean startsWithTable(List<Kind> kinds) {
    return !kinds.isEmpty() && kinds.get(0).role() == SectionRole.TABLE;
  }

  private static boolean sharesFixedSizeSection(List<Kind> before, List<Kind> after) {
    int[] pairs = pairs(before, after);
    for (int i = 0; i < pairs.length; i++) {
      if (pairs[i] != NONE && after.get(i).hasFixedSize()) {
        return true;
      }
    }
    return false;
  }
}
