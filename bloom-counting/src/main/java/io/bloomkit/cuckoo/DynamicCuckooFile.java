package io.bloomkit.cuckoo;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.SectionReader;
import io.bloomkit.internal.format.SectionRole;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Writes and reads dynamic cuckoo filters: two fields for the size, a section of all distinct
 * fingerprints in ascending order, and a section for each bit of the number of extra copies, with
 * the fingerprints for which this bit is set. So the bytes depend only on the contents, and a small
 * change of the contents changes few numbers.
 */
final class DynamicCuckooFile {

  static final int FIELDS = 2;

  private DynamicCuckooFile() {}

  /** Returns the contents to write to a file. */
  static FilterContents contents(
      StrategyIdentity strategy,
      DynamicCuckooShape size,
      Optional<FilterPlan> plan,
      DynamicFingerprints fingerprints) {
    List<Chunk> chunks = fingerprints.copies();
    long total = chunks.stream().mapToLong(Chunk::total).sum();
    FilterContents.Builder contents =
        FilterContents.of(
                DynamicCuckooFilter.KIND.code(), strategy, size.maxElements(), size.fingerprints())
            .plan(plan)
            .elementCount(OptionalLong.of(total), total, total);
    contents.section(SectionRole.FINGERPRINTS, new SortedFingerprints(chunks));
    List<LongStream.Builder> bits = new ArrayList<>();
    for (Chunk chunk : chunks) {
      chunk.forEach(
          (fingerprint, copies) -> {
            for (long remaining = copies - 1; remaining != 0; remaining &= remaining - 1) {
              int bit = Long.numberOfTrailingZeros(remaining);
              while (bits.size() <= bit) {
                bits.add(LongStream.builder());
              }
              bits.get(bit).add(fingerprint);
            }
          });
    }
    bits.forEach(bit -> contents.section(SectionRole.EXTRA_COPIES, bit.build().toArray()));
    return contents.build();
  }

  static DynamicCuckooShape readSize(FilterReader reader) throws FilterFormatException {
    long maxElements = reader.field(0, "maxElements", 1, FingerprintSpace.MAX);
    long fingerprints = reader.field(1, "fingerprints", maxElements, FingerprintSpace.MAX);
    if (FingerprintSpace.ofAtLeast(fingerprints).fingerprints() != fingerprints) {
      throw reader.wrongField(
          1, "fingerprints must have fourteen significant bits at most, got " + fingerprints);
    }
    return new DynamicCuckooShape(maxElements, fingerprints);
  }

  /** Reads the sections into an empty multiset, and checks the element count. */
  static void readInto(
      FilterReader reader, DynamicCuckooShape size, DynamicFingerprints fingerprints)
      throws IOException {
    SectionReader all = reader.table(SectionRole.FINGERPRINTS, size.fingerprints(), 1);
    FingerprintBuffer buffer = new FingerprintBuffer();
    AscendingLoader loader = new AscendingLoader(fingerprints, buffer);
    for (long i = 0; i < all.wordCount(); i++) {
      loader.addEntry(next(reader, all, size));
    }
    loader.finish();
    int sections = reader.header().sections().size();
    for (int bit = 0; bit < sections - 1; bit++) {
      SectionReader section = reader.table(SectionRole.EXTRA_COPIES, all.wordCount(), 1);
      if (section.wordCount() == 0 && bit == sections - 2) {
        throw reader.wrongSection("the last one must have fingerprints but is empty");
      }
      if (bit >= Long.SIZE - 2
          || section.wordCount() > (DynamicFingerprints.MAX_TOTAL - fingerprints.total()) >>> bit) {
        throw reader.wrongSection("more than 2^62 copies in all");
      }
      readExtraCopies(reader, section, size, bit, fingerprints, buffer);
    }
    long total = fingerprints.total();
    reader.requireElementCount(reader.elementCount(), total, total);
  }

  private static long next(FilterReader reader, SectionReader section, DynamicCuckooShape size)
      throws IOException {
    long fingerprint = section.next();
    if (fingerprint >= size.fingerprints()) {
      throw reader.wrongSection(
          fingerprint + " is no fingerprint: there are " + size.fingerprints());
    }
    return fingerprint;
  }

  private static void readExtraCopies(
      FilterReader reader,
      SectionReader section,
      DynamicCuckooShape size,
      int bit,
      DynamicFingerprints fingerprints,
      FingerprintBuffer ofChunk)
      throws IOException {
    for (long i = 0; i < section.wordCount(); i++) {
      long fingerprint = next(reader, section, size);
      if (fingerprints.countFingerprint(fingerprint) == 0) {
        throw reader.wrongSection("copies of fingerprint " + fingerprint + ", which is not held");
      }
      Chunk chunk = fingerprints.chunkOfFingerprint(fingerprint);
      if (ofChunk.size() > 0 && fingerprints.chunkOfFingerprint(ofChunk.get(0)) != chunk) {
        fill(fingerprints, bit, ofChunk);
      }
      ofChunk.addEntry(fingerprint);
    }
    if (ofChunk.size() > 0) {
      fill(fingerprints, bit, ofChunk);
    }
  }

  private static void fill(DynamicFingerprints fingerprints, int bit, FingerprintBuffer ofChunk) {
    fingerprints.fillExtraCopies(fingerprints.chunkOfFingerprint(ofChunk.get(0)), bit, ofChunk);
    ofChunk.removeFirst(ofChunk.size());
  }
}
