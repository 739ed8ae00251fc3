package io.bloomkit.format;

import io.bloomkit.internal.GapCoding;
import org.jspecify.annotations.Nullable;

/** The role of a section of a filter's file, part of the file format (docs/format.md). */
public enum SectionRole {
  /** Bits or counters. May be gap-coded. */
  WORDS(1, true),
  /** Counters above 15: for each, its index and its value minus 15, a word each. */
  EXCESS(2, false),
  /** Buckets of fingerprints. May be gap-coded. */
  BUCKETS(3, true),
  /** Fingerprints that did not fit into their buckets, each with its bucket as one word. */
  STASH(4, false),
  /**
   * Copies of fingerprints beyond those in buckets and {@link #STASH}: for each fingerprint, a word
   * as in {@link #STASH} and the number of these copies.
   */
  COPIES(5, false),
  /** Numbers about other sections or the whole filter, such as one row per layer. */
  TABLE(6, false),
  /** The coded changes of a {@link Delta}. */
  CHANGES(7, false),
  /** Distinct fingerprints in ascending order, a word each. Always gap-coded. */
  FINGERPRINTS(8, false),
  /**
   * The {@link #FINGERPRINTS} whose number of further copies has a given bit set, in ascending
   * order, a word each. One section per bit. Always gap-coded.
   */
  FURTHER_COPIES(9, false);

  /** The codings of sections: words as they are, gaps between set bits, gaps between numbers. */
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

  /** Whether sections of this role may be gap-coded: only what a reader holds as it is stored. */
  boolean mayBeGapCoded() {
    return gapCoded;
  }

  /** Whether sections of this role are ascending numbers, which are stored by their gaps. */
  boolean isAscending() {
    return this == FINGERPRINTS || this == FURTHER_COPIES;
  }

  static @Nullable SectionRole ofCode(int code) {
    for (SectionRole role : values()) {
      if (role.code == code) {
        return role;
      }
    }
    return null;
  }

  /** Returns the coding of a section of this role that is coded by gaps. */
  int gapCoding() {
    return isAscending() ? ASCENDING : GAP_CODED;
  }

  /** Returns whether sections of this role may have a coding. */
  boolean mayHaveCoding(int coding) {
    return isAscending()
        ? coding == ASCENDING
        : coding == RAW || (coding == GAP_CODED && mayBeGapCoded());
  }

  /** Returns how many low bits of a gap are stored as they are, at most. */
  int mostRiceParameter() {
    return isAscending() ? GapCoding.MAX_RICE_PARAMETER_OF_NUMBERS : GapCoding.MAX_RICE_PARAMETER;
  }
}
