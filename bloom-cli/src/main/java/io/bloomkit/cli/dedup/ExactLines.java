package io.bloomkit.cli.dedup;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Remembers all lines of a run by hashes of 128 bits: 64 bits of XXH3, and 64 bits of SipHash with
 * a key of the run, so that nobody can choose lines that collide.
 *
 * <p>A table for each part of the hashes, with linear probing. The tables begin with different
 * sizes, so that they grow one after another, and the memory with the lines: about 25 bytes for
 * each.
 */
final class ExactLines implements SeenLines {

  private static final int TABLES = 1 << 10;

  private static final int MIN_SLOTS = 1 << 5;

  private static final double GROWTH = 1.5;

  private static final double MAX_LOAD = 0.8;

  private static final int KEY_BYTES = 16;

  private static final int WORDS_PER_SLOT = 2;

  private final BytesHashStrategy keyed;

  /** In each table, a slot is a hash and its check; a check of 0 marks a free slot. */
  private final long[][] tables = new long[TABLES][];

  private final int[] sizes = new int[TABLES];

  ExactLines() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    keyed = HashStrategies.sipHash24(key);
    Arrays.setAll(tables, i -> table(MIN_SLOTS * Math.pow(GROWTH, (double) i / TABLES)));
  }

  private static long[] table(double slots) {
    return new long[WORDS_PER_SLOT * (int) slots];
  }

  @Override
  public long check(byte[] bytes, int from, int length) {
    return keyed.hashBytes(bytes, from, length);
  }

  @Override
  public boolean isFirst(long hash, long check) {
    int index = (int) (hash & (TABLES - 1));
    if (!insert(tables[index], hash, check == 0 ? 1 : check)) {
      return false;
    }
    int slots = tables[index].length / WORDS_PER_SLOT;
    if (++sizes[index] > MAX_LOAD * slots) {
      tables[index] = copied(tables[index], table(GROWTH * slots));
    }
    return true;
  }

  private static boolean insert(long[] table, long hash, long check) {
    int slots = table.length / WORDS_PER_SLOT;
    int at = WORDS_PER_SLOT * (int) (((hash >>> Integer.SIZE) * slots) >>> Integer.SIZE);
    while (table[at + 1] != 0) {
      if (table[at] == hash && table[at + 1] == check) {
        return false;
      }
      at = at + WORDS_PER_SLOT == table.length ? 0 : at + WORDS_PER_SLOT;
    }
    table[at] = hash;
    table[at + 1] = check;
    return true;
  }

  private static long[] copied(long[] table, long[] larger) {
    for (int at = 0; at < table.length; at += WORDS_PER_SLOT) {
      if (table[at + 1] != 0) {
        insert(larger, table[at], table[at + 1]);
      }
    }
    return larger;
  }

  @Override
  public void addNewLines(long lines) {}

  @Override
  public double expectedFpp() {
    return 0;
  }

  @Override
  public double expectedWronglyDropped() {
    return 0;
  }

  @Override
  public long memoryBytes() {
    return Arrays.stream(tables).mapToLong(table -> (long) Long.BYTES * table.length).sum();
  }

  @Override
  public String description() {
    return "an exact set of hashes of 128 bits";
  }
}
