package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.format.Delta;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** How many bytes deltas take: a million accounts of which 1,000 close and 1,000 open. */
class DeltaSizeTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final int ACCOUNTS = 1_000_000;
  private static final int CHANGED = 1000;

  private static void changeAccounts(CountingBloomFilter<Long> accounts) {
    LongStream.range(0, CHANGED).forEach(account -> assertTrue(accounts.remove(account)));
    LongStream.range(ACCOUNTS, ACCOUNTS + CHANGED).forEach(accounts::add);
  }

  /** N · H(c / N) bits: what no code goes below if any c of N bits may change. */
  private static double entropyBytes(long changed, long all) {
    double share = (double) changed / all;
    double log2 = Math.log(2);
    double entropy = -share * Math.log(share) / log2 - (1 - share) * Math.log1p(-share) / log2;
    return all * entropy / 8;
  }

  private static long differentBits(long[] before, long[] after) {
    long bits = 0;
    for (int i = 0; i < before.length; i++) {
      bits += Long.bitCount(before[i] ^ after[i]);
    }
    return bits;
  }

  @Test
  void classicViewChangesInAFiftiethOfItsFileAndNearTheEntropy(TestReporter reporter)
      throws FilterFormatException {
    CountingBloomFilter<Long> accounts = CountingBloomFilter.create(LONGS, ACCOUNTS, 0.01);
    LongStream.range(0, ACCOUNTS).forEach(accounts::add);
    ClassicBloomFilter<Long> before = accounts.toClassic();
    changeAccounts(accounts);
    ClassicBloomFilter<Long> after = accounts.toClassic();
    byte[] delta = Delta.between(before, after).toBytes();
    int file = after.toBytes().length;
    long changed = differentBits(before.toLongArray(), after.toLongArray());
    double entropy = entropyBytes(changed, before.shape().positions());
    reporter.publishEntry(
        "delta of 1,000 opened and 1,000 closed accounts",
        delta.length + " bytes of " + file + ", " + changed + " bits, entropy " + entropy);
    assertTrue(50L * delta.length <= file, () -> delta.length + " of " + file);
    assertTrue(delta.length <= 1.01 * entropy + 260, () -> delta.length + " above " + entropy);
    assertEquals(
        after,
        Delta.fromBytes(delta).apply(before, bytes -> ClassicBloomFilter.fromBytes(bytes, LONGS)));
  }

  /** Counters and fingerprints are units of their own: bit by bit they would take twice as much. */
  @Test
  void countersAndFingerprintsChangeAsAWhole(TestReporter reporter) {
    CountingBloomFilter<Long> before = CountingBloomFilter.create(LONGS, ACCOUNTS / 10, 0.01);
    LongStream.range(0, ACCOUNTS / 10).forEach(before::add);
    CountingBloomFilter<Long> after = before.copy();
    LongStream.range(0, CHANGED).forEach(after::add);
    // 7 counters each; a gap of some 137 counters takes 8.5 bits, and what becomes of it two to
    // four.
    assertSize(before, after, 7 * CHANGED * (8.5 + 3) / 8, reporter);
    CuckooFilter<Long> few = CuckooFilter.create(LONGS, ACCOUNTS / 10, 0.01);
    LongStream.range(0, ACCOUNTS / 20).forEach(few::add);
    CuckooFilter<Long> more = few.copy();
    LongStream.range(ACCOUNTS, ACCOUNTS + CHANGED).forEach(more::add);
    assertSize(few, more, 4 * CHANGED, reporter);
  }

  private static void assertSize(
      StorableFilter<?> before, StorableFilter<?> after, double bytes, TestReporter reporter) {
    byte[] delta = Delta.between(before, after).toBytes();
    reporter.publishEntry(after.toString(), delta.length + " bytes, estimated " + bytes);
    assertTrue(delta.length < 1.1 * bytes + 300, () -> delta.length + " for " + after);
  }
}
