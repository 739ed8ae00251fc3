package io.bloomkit.cuckoo;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.LongCounts;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.Words;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.SectionReader;
import io.bloomkit.internal.format.SectionRole;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Writes and reads cuckoo filters: three fields for the size, and three sections, for the buckets,
 * for the stash and for the extra copies in the side table. Counts are not stored; the reader
 * counts.
 */
final class FingerprintFile {

  static final int FIELDS = 3;

  /**
   * The largest total number of copies that a file may have. From here, no feasible number of
   * insertions reaches {@link Long#MAX_VALUE}.
   */
  static final long MAX_COPIES = 1L << 62;

  private final FilterReader reader;
  private final CuckooShape size;
  private final FingerprintTable table;
  private final Stash stash;
  private final LongCounts extraCopies = new LongCounts();
  private long elements;
  private long distinct;
  private long occupied;
  private long positivePairs;

  private FingerprintFile(FilterReader reader, CuckooShape size, FingerprintTable table) {
    this.reader = reader;
    this.size = size;
    this.table = table;
    this.stash = new Stash();
  }

  /** Returns the contents to write to a file. */
  static FilterContents contents(
      StrategyIdentity strategy, Optional<FilterPlan> plan, CuckooFingerprints fingerprints) {
    FingerprintTable table = fingerprints.table;
    long[] keys = fingerprints.extraCopies.sortedKeys();
    long[] pairs = WordArrays.allocate(2 * keys.length);
    for (int i = 0; i < keys.length; i++) {
      pairs[2 * i] = keys[i];
      pairs[2 * i + 1] = fingerprints.extraCopies.get(keys[i]);
    }
    long elements = fingerprints.size();
    int tableBytes = table.bytes.length - FingerprintTable.PADDING;
    return FilterContents.of(
            CuckooFilter.KIND.code(),
            strategy,
            fingerprints.capacity,
            table.buckets(),
            table.width())
        .plan(plan)
        .elementCount(OptionalLong.of(elements), elements, elements)
        .section(SectionRole.BUCKETS, new Words.OfBytes(table.bytes, tableBytes))
        .section(SectionRole.STASH, fingerprints.stash.sorted())
        .section(SectionRole.COPIES, pairs)
        .build();
  }

  static CuckooShape readSize(FilterReader reader) throws FilterFormatException {
    int bits = (int) reader.field(2, "fingerprintBits", CuckooShape.MIN_BITS, CuckooShape.MAX_BITS);
    if (bits % 2 != 0) {
      throw reader.wrongField(2, "fingerprintBits must be even, got " + bits);
    }
    long buckets = reader.field(1, "buckets", 1, FingerprintTable.maxBuckets(bits));
    long capacity = reader.field(0, "capacity", 1, buckets * FingerprintTable.SLOTS);
    return new CuckooShape(capacity, (int) buckets, bits);
  }

  static CuckooFingerprints read(FilterReader reader, CuckooShape size) throws IOException {
    FingerprintFile file = new FingerprintFile(reader, size, readTable(reader, size));
    file.countTable();
    file.readStash();
    if (file.distinct > size.capacity()) {
      throw reader.wrongSection(
          file.distinct + " distinct fingerprints are held, more than fit into " + size);
    }
    file.readExtraCopies();
    return new CuckooFingerprints(
        size.capacity(),
        file.table,
        file.stash,
        file.extraCopies,
        file.elements,
        file.distinct,
        file.occupied,
        file.positivePairs);
  }

  private static FingerprintTable readTable(FilterReader reader, CuckooShape size)
      throws IOException {
    long length = size.memoryBytes() - FingerprintTable.PADDING;
    SectionReader section =
        reader.section(SectionRole.BUCKETS, (length + Long.BYTES - 1) / Long.BYTES);
    // No larger than the section received.
    FingerprintTable table = new FingerprintTable(size.buckets(), size.fingerprintBits());
    for (int i = 0; i < section.wordCount(); i++) {
      table.store(i * Long.BYTES, section.next());
    }
    if (table.load((int) length) != 0) {
      throw reader.wrongSection(
          "what follows the last of " + size.buckets() + " buckets is not zero");
    }
    return table;
  }

  private void countTable() throws IOException {
    table.forEach(
        (bucket, fingerprint) -> {
          int alternate = table.alternate(bucket, fingerprint);
          int copies = table.copies(bucket, alternate, fingerprint);
          if (copies > 2) {
            throw reader.wrongSection(
                "fingerprint " + fingerprint + " has " + copies + " copies in its buckets");
          }
          occupied++;
          elements++;
          // A fingerprint with two copies is visited twice, so each visit counts as half of it.
          distinct += 2 / copies;
          positivePairs += (2L / copies) * FingerprintTable.pairs(bucket, alternate);
        });
    distinct /= 2;
    positivePairs /= 2;
  }

  private void readStash() throws IOException {
    SectionReader section = reader.table(SectionRole.STASH, size.capacity(), 1);
    long previous = -1;
    for (long i = 0; i < section.wordCount(); i++) {
      long key = requireKey(section.next(), previous);
      int bucket = FingerprintTable.bucketOfKey(key);
      long fingerprint = FingerprintTable.fingerprintOfKey(key);
      int alternate = table.alternate(bucket, fingerprint);
      if (table.copies(bucket, alternate, fingerprint) > 0) {
        throw reader.wrongSection("fingerprint " + fingerprint + " stands in its buckets too");
      }
      stash.add(key);
      distinct++;
      positivePairs += FingerprintTable.pairs(bucket, alternate);
      elements++;
      previous = key;
    }
  }

  private void readExtraCopies() throws IOException {
    SectionReader section = reader.table(SectionRole.COPIES, 2 * size.capacity(), 2);
    long previous = -1;
    for (long i = 0; i < section.wordCount() / 2; i++) {
      long key = requireKey(section.next(), previous);
      long copies = section.next();
      int bucket = FingerprintTable.bucketOfKey(key);
      long fingerprint = FingerprintTable.fingerprintOfKey(key);
      int alternate = table.alternate(bucket, fingerprint);
      if (table.copies(bucket, alternate, fingerprint) == 0 && !stash.contains(key)) {
        throw reader.wrongSection("copies of fingerprint " + fingerprint + ", which is not held");
      }
      if (copies < 1 || copies > MAX_COPIES - elements) {
        throw reader.wrongSection(
            "the copies of fingerprint " + fingerprint + " cannot be " + copies);
      }
      extraCopies.set(key, copies);
      elements += copies;
      previous = key;
    }
  }

  /** Checks that a key is above the previous one and is the key of a possible fingerprint. */
  private long requireKey(long key, long previous) throws FilterFormatException {
    long bucket = key >>> Integer.SIZE;
    long fingerprint = FingerprintTable.fingerprintOfKey(key);
    if (key <= previous
        || bucket >= table.buckets()
        || fingerprint == 0
        || fingerprint > FingerprintTable.values(table.width())
        || key != table.key((int) bucket, fingerprint)) {
      throw reader.wrongSection(
          "0x" + Long.toHexString(key) + " is not a key, or not above the one before it");
    }
    return key;
  }
}
