package io.bloomkit.format;

import org.jspecify.annotations.Nullable;

/** What a section of a filter's file holds; part of the file format (docs/format.md). */
public enum SectionRole {
  /** Bits or counters. Sections of this role may be gap-coded. */
  WORDS(1, true),
  /** Pairs of a counter's index and what exceeds its four bits. */
  EXCESS(2, false),
  /** Buckets of fingerprints. Sections of this role may be gap-coded. */
  BUCKETS(3, true),
  /** Keys of the fingerprints that stand in no bucket. */
  STASH(4, false),
  /** Pairs of a fingerprint's key and how many copies there are beyond those in its buckets. */
  COPIES(5, false),
  /** Numbers that belong to other sections or to the whole, such as one row a layer. */
  TABLE(6, false),
  /** What a {@link Delta} changes, coded. */
  CHANGES(7, false);

  private final int code;
  private final boolean gapCoded;

  SectionRole(int code, boolean gapCoded) {
    this.code = code;
    this.gapCoded = gapCoded;
  }

  /** Returns the number that stands for this role in files. */
  public int code() {
    return code;
  }

  /** Whether sections of this role may be gap-coded: only what a reader holds as it is stored. */
  boolean mayBeGapCoded() {
    return gapCoded;
  }

  static @Nullable SectionRole ofCode(int code) {
    for (SectionRole role : values()) {
      if (role.code == code) {
        return role;
      }
    }
    return null;
  }
}
