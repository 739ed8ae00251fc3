package io.bloomkit.cuckoo;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.SectionReader;
import io.bloomkit.internal.format.SectionRole;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Writes and reads expiring cuckoo filters: fields for the size, the window and the position of the
 * clock, and a section of numbers f · 2<sup>e</sup> + X mod 2<sup>e</sup> in ascending order, one
 * for each live fingerprint f, which expires in epoch X. So the bytes depend only on the live
 * contents and the position, and an entry has the same number as long as it is not renewed.
 */
final class ExpiringCuckooFile {

  static final int FIELDS = 6;

  private ExpiringCuckooFile() {}

  /** Returns the contents to write to a file. */
  static FilterContents contents(
      StrategyIdentity strategy,
      ExpiringSize size,
      Optional<FilterPlan> plan,
      ExpiringFingerprints.Snapshot snapshot) {
    return FilterContents.of(
            ExpiringCuckooFilter.KIND.code(),
            strategy,
            size.expected(),
            size.fingerprints(),
            size.window(),
            ExpiringSize.STAMP_BITS,
            snapshot.clock().position(),
            size.isOfInsertions() ? 1 : 0)
        .plan(plan)
        .section(SectionRole.FINGERPRINTS, snapshot.sorted())
        .build();
  }

  static ExpiringSize readSize(FilterReader reader) throws FilterFormatException {
    long expected = reader.field(0, "expected", 1, ExpiringSize.MAX_FINGERPRINTS / 2);
    long window = reader.field(2, "window", 1, ExpiringSize.MAX_WINDOW);
    long least = ExpiringSize.maxLive(expected, window);
    long fingerprints = reader.field(1, "fingerprints", least, ExpiringSize.MAX_FINGERPRINTS);
    if (FingerprintSpace.ofAtLeast(fingerprints).fingerprints() != fingerprints) {
      throw reader.wrongField(
          1, "fingerprints must have fourteen significant bits at most, got " + fingerprints);
    }
    reader.field(3, "stampBits", ExpiringSize.STAMP_BITS, ExpiringSize.STAMP_BITS);
    boolean isOfInsertions = reader.field(5, "unit", 0, 1) == 1;
    return new ExpiringSize(expected, fingerprints, window, isOfInsertions);
  }

  /**
   * Reads the field of the position of the clock.
   *
   * @param source the clock for a window of time
   */
  static EpochClock readClock(FilterReader reader, ExpiringSize size, InstantSource source)
      throws FilterFormatException {
    if (reader.elementCount().isPresent()) {
      throw reader.wrongField(
          4,
          "the element count must be unknown, since elements expire, got "
              + reader.elementCount().getAsLong());
    }
    long length = size.epochLength();
    if (size.isOfInsertions()) {
      return new InsertionClock(length, reader.field(4, "insertions", 0, EpochClock.MAX));
    }
    long most = Math.floorDiv(EpochClock.MAX, length);
    long least = Math.floorDiv(-EpochClock.MAX, length);
    return new TimeClock(source, length, reader.field(4, "epoch", least, most));
  }

  /** Reads the section into an empty set. */
  static void readInto(FilterReader reader, ExpiringSize size, ExpiringFingerprints fingerprints)
      throws IOException {
    SectionReader all = reader.table(SectionRole.FINGERPRINTS, size.fingerprints(), 1);
    AscendingLoader loader = fingerprints.loader();
    long last = -1;
    for (long i = 0; i < all.wordCount(); i++) {
      long entry = all.next();
      long fingerprint = entry >>> ExpiringSize.STAMP_BITS;
      if (fingerprint >= size.fingerprints() || fingerprint == last) {
        throw reader.wrongSection(
            "fingerprint "
                + fingerprint
                + " must be below "
                + size.fingerprints()
                + " and occur once");
      }
      last = fingerprint;
      loader.addEntry(entry);
    }
    loader.finish();
  }
}
