package io.bloomkit.internal.format;

import io.bloomkit.internal.GapCoding;
import org.jspecify.annotations.Nullable;

/**
 * The role of a section of a filter's file, part of the file format (docs/format.md). If sections
 * of a role may be, or always are, {@linkplain FilterSection#gapCoded gap-coded}, the description
 * of the role says so. Sections of the other roles store their words unchanged.
 */
public enum SectionRole {
  /** Bits or counters. May be gap-coded. */
  WORDS(1, true),
  /** Counters above 15. Each counter takes two words: its index, and its value minus 15. */
  OVERFLOW(2, false),
  /** Buckets of fingerprints, in a cuckoo filter. May be gap-coded. */
  BUCKETS(3, true),
  /**
   * Fingerprints that did not fit into their buckets. Each word holds a fingerprint and the lower
   * of the indexes of its two buckets.
   */
  STASH(4, false),
  /**
   * Fingerprints that have more copies than {@link #BUCKETS} and {@link #STASH} contain. Each
   * fingerprint takes two words. The first word has the form of a word of {@link #STASH}: the
   * fingerprint and the lower of the indexes of its two buckets. The second word is the number of
   * additional copies.
   */
  COPIES(5, false),
  /**
   * Numbers about other sections or the whole filter, for example one row of numbers for each layer
   * of a scalable filter.
   */
  TABLE(6, false),
  /** The coded changes of a {@link ContentsDelta}. */
  CHANGES(7, false),
  /** Distinct fingerprints in ascending order, one word each. Always gap-coded. */
  FINGERPRINTS(8, false),
  /**
   * The {@link #FINGERPRINTS} of which the filter holds several copies. A filter may have several
   * sections of this role, numbered from 0. A fingerprint with c copies is in section i if bit i of
   * c − 1 is set. The fingerprints are in ascending order, one word each. Always gap-coded.
   */
  EXTRA_COPIES(9, false);

  /** The codes of codings: uncoded words, gaps between set bits, gaps between numbers. */
  static final int RAW = 0;

  private static final int GAP_CODED = 1;
  private static final int ASCENDING = 2;

  private final int code;
  private final boolean gapCoded;

  SectionRole(int code, boolean gapCoded) {
    this.code = code;
    this.gapCoded = gapCoded;
  }

  /** Returns the number of this role in files. */
  public int code() {
    return code;
  }

  /** Returns whether sections of this role may be gap-coded as set bits. */
  boolean mayBeGapCoded() {
    return gapCoded;
  }

  /** Returns whether sections of this role are ascending numbers, which are stored as gaps. */
  boolean isAscending() {
    return this == FINGERPRINTS || this == EXTRA_COPIES;
  }

  static @Nullable SectionRole ofCode(int code) {
    for (SectionRole role : values()) {
      if (role.code == code) {
        return role;
      }
    }
    return null;
  }

  int gapCoding() {
    return isAscending() ? ASCENDING : GAP_CODED;
  }

  boolean mayHaveCoding(int coding) {
    return isAscending()
        ? coding == ASCENDING
        : coding == RAW || (coding == GAP_CODED && mayBeGapCoded());
  }

  int maxRiceParameter() {
    return isAscending() ? GapCoding.MAX_RICE_PARAMETER_OF_NUMBERS : GapCoding.MAX_RICE_PARAMETER;
  }
}
