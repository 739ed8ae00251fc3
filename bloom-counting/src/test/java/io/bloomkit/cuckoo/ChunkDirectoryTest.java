package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Directories of many small tables: each step is followed by a look at all of them. */
class ChunkDirectoryTest {

  private static final long SEED = 0x5eed_26;

  private final FingerprintSpace space = FingerprintSpace.ofAtLeast(1L << 50);
  private final Long2LongOpenHashMap model = new Long2LongOpenHashMap();
  private long total;

  /** Of tables that hold about a hundred fingerprints before they are divided. */
  private DynamicFingerprints empty() {
    return new DynamicFingerprints(new TableSizes(space, 100, SEED, false, 0));
  }

  private void add(DynamicFingerprints counts, long hash) {
    assertEquals(
        model.addTo(SampleTables.fingerprintOf(space, hash), 1) == 0,
        counts.addHash(hash),
        "is new");
    total++;
  }

  private void remove(DynamicFingerprints counts, long hash) {
    long fingerprint = SampleTables.fingerprintOf(space, hash);
    assertTrue(counts.removeHash(hash));
    total--;
    if (model.addTo(fingerprint, -1) == 1) {
      model.remove(fingerprint);
      assertFalse(counts.containsHash(hash));
      assertFalse(counts.removeHash(hash));
    }
    assertEquals(model.get(fingerprint), counts.countHash(hash));
  }

  private static List<Chunk> chunks(DynamicFingerprints counts) {
    return counts.copies().stream().map(copy -> counts.chunks().chunkOf(copy.firstHash())).toList();
  }

  private void check(DynamicFingerprints counts, boolean isEven) {
    long start = 0;
    long bytes = 0;
    int greatestDepth = 0;
    List<Chunk> chunks = chunks(counts);
    for (Chunk chunk : chunks) {
      int depth = chunk.shape.depth;
      long rest = depth == 0 ? -1 : -1L >>> depth;
      assertEquals(start, depth == 0 ? 0 : chunk.prefix << (Long.SIZE - depth), "no gaps");
      for (long hash : new long[] {start, start | rest, start | (rest >>> 1)}) {
        assertSame(chunk, counts.chunks().chunkOf(hash));
        assertSame(chunk, counts.chunks().chunkOf(hash));
      }
      assertFalse(chunk.isReplaced());
      assertTrue(!isEven || chunk.shape.limit <= counts.chunks().sizes.maxFingerprintsAt(depth));
      start += rest + 1;
      greatestDepth = Math.max(greatestDepth, depth);
      bytes += chunk.memoryBytes();
    }
    assertEquals(0, start);
    long directories = counts.memoryBytes() - bytes;
    if (isEven) {
      assertEquals(Math.max(2, 1 << greatestDepth) * ChunkDirectory.REFERENCE_BYTES, directories);
    } else {
      long each = 8 * ChunkDirectory.REFERENCE_BYTES + Chunk.EMPTY_BYTES + 4 * 16;
      assertTrue(directories > 0, () -> directories + " bytes");
      assertTrue(directories <= each * chunks.size(), () -> directories + " bytes");
    }
    assertEquals(model.size(), counts.distinct());
    assertEquals(total, counts.total());
    long[] visited = new long[1];
    counts.forEach(
        (fingerprint, copies) -> {
          assertEquals(model.get(fingerprint), copies);
          visited[0]++;
        });
    assertEquals(model.size(), visited[0]);
  }

  private void growAndShrink(
      DynamicFingerprints counts, long[] hashes, boolean isReversed, boolean isEven) {
    long before = counts.memoryBytes();
    Set<Chunk> seen = new HashSet<>();
    for (int i = 0; i < hashes.length; i++) {
      add(counts, hashes[i]);
      add(counts, hashes[i / 2]);
      if (i % 50 == 0) {
        check(counts, isEven);
        seen.addAll(chunks(counts));
      }
    }
    assertTrue(chunks(counts).size() > 10);
    for (int i = 0; i < hashes.length; i++) {
      int next = isReversed ? hashes.length - 1 - i : i;
      assertTrue(counts.containsHash(hashes[next]));
      remove(counts, hashes[next]);
      remove(counts, hashes[next / 2]);
      if (i % 50 == 0) {
        check(counts, isEven);
        seen.addAll(chunks(counts));
      }
    }
    check(counts, isEven);
    List<Chunk> left = chunks(counts);
    assertEquals(1, left.size());
    assertTrue(counts.memoryBytes() <= before + 1000, "tables of the smallest size");
    seen.removeAll(left);
    for (Chunk chunk : seen) {
      assertTrue(chunk.isReplaced());
      assertEquals(1, chunk.version() & 1);
    }
  }

  private static long[] hashes(int count, LongUnaryOperator made) {
    return new SplittableRandom(SEED).longs(count).map(made).toArray();
  }

  @Test
  void evenHashesTakeADirectoryOfTheGreatestDepth() {
    for (boolean isReversed : new boolean[] {false, true}) {
      long[] hashes = hashes(2_000, hash -> hash);
      growAndShrink(empty(), hashes, isReversed, true);
    }
  }

  @Test
  void hashesThatShareTheirFirstBitsTakeDirectoriesOfTheirOwn() {
    for (boolean isReversed : new boolean[] {false, true}) {
      growAndShrink(empty(), hashes(1_500, hash -> hash >>> 20), isReversed, false);
      growAndShrink(
          empty(),
          hashes(1_500, hash -> (hash & 3) << 62 | (hash >>> 2) % 3 << 40 | hash >>> 30),
          isReversed,
          false);
    }
  }

  @Test
  void copiesAreIndependent() {
    for (int shared : new int[] {0, 20}) {
      long[] hashes = hashes(1_000, hash -> hash >>> shared);
      DynamicFingerprints counts = empty();
      model.clear();
      total = 0;
      for (long hash : hashes) {
        add(counts, hash);
      }
      DynamicFingerprints copy = counts.copy();
      check(copy, shared == 0);
      assertEquals(counts.memoryBytes(), copy.memoryBytes());
      for (long hash : hashes) {
        assertTrue(copy.removeHash(hash));
        assertTrue(copy.addHash(~hash));
      }
      check(counts, shared == 0);
      for (long hash : hashes) {
        assertFalse(copy.containsHash(hash));
      }
    }
  }

  @Test
  void aQueryWaitsForAChunkThatStaysChanged() {
    DynamicFingerprints counts = empty();
    add(counts, 42);
    Chunk chunk = counts.chunks().chunkOf(42);
    chunk.beginChange();
    assertTrue(counts.containsHash(42));
    assertFalse(counts.containsHash(-42));
    chunk.endChange();
    assertTrue(counts.containsHash(42));
  }

  @Test
  void growthAfterShrinkingIsThatOfAnEmptyOne() {
    for (int shared : new int[] {0, 20}) {
      long[] hashes = hashes(1_500, hash -> hash >>> shared);
      DynamicFingerprints counts = empty();
      long[] bytes = new long[3];
      for (int round = 0; round < bytes.length; round++) {
        for (long hash : hashes) {
          counts.addHash(hash);
        }
        bytes[round] = counts.memoryBytes();
        for (long hash : hashes) {
          assertTrue(counts.removeHash(hash));
        }
      }
      assertEquals(bytes[0], bytes[1]);
      assertEquals(bytes[0], bytes[2]);
    }
  }

  @Test
  void aTableThatHoldsFewShrinks() {
    DynamicFingerprints counts =
        new DynamicFingerprints(new TableSizes(space, 5_000, SEED, false, 0));
    long[] hashes = hashes(5_000, hash -> hash);
    for (long hash : hashes) {
      counts.addHash(hash);
    }
    assertEquals(1, chunks(counts).size());
    for (int i = 10; i < hashes.length; i++) {
      assertTrue(counts.removeHash(hashes[i]));
    }
    assertTrue(counts.memoryBytes() < 1000, () -> counts.memoryBytes() + " bytes");
  }

  /** Returns whether a query by another thread stops at a monitor, for more than a moment. */
  private static boolean isStopped(DynamicFingerprints counts) {
    Thread query = new Thread(() -> counts.containsHash(42));
    query.start();
    long since = System.nanoTime();
    while (query.isAlive()) {
      if (query.getState() != Thread.State.BLOCKED) {
        since = System.nanoTime();
      } else if (System.nanoTime() - since > 20_000_000) {
        return true;
      }
    }
    return false;
  }

  @Test
  void aQueryWaitsForAChangeButNotForAMonitor() {
    DynamicFingerprints counts = empty();
    add(counts, 42);
    Chunk chunk = counts.chunks().chunkOf(42);
    synchronized (chunk) {
      assertFalse(isStopped(counts));
      chunk.beginChange();
      assertTrue(isStopped(counts));
      chunk.endChange();
    }
  }

  @Test
  void aChangeLeavesAnEvenVersion() {
    DynamicFingerprints counts = empty();
    Chunk chunk = counts.chunks().chunkOf(42);
    int version = chunk.version();
    add(counts, 42);
    assertEquals(version + 2, chunk.version());
    remove(counts, 42);
    assertSame(chunk, counts.chunks().chunkOf(42));
    assertEquals(0, chunk.version() & 1);
    assertTrue(chunk.version() >= version + 4);
  }
}
