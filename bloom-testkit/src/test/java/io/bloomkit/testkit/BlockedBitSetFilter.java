package io.bloomkit.testkit;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import io.bloomkit.FilterEstimate;
import io.bloomkit.InsertableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.Arrays;

/** The simplest right filter of blocks, for the contract to pass on and broken ones to extend. */
class BlockedBitSetFilter implements InsertableFilter<Long> {

  final BlockedShape shape;
  private final long[] words;

  BlockedBitSetFilter(long expectedInsertions, double fpp) {
    this.shape = BlockedShape.ofBits(expectedInsertions, fpp);
    this.words = new long[Math.toIntExact(shape.blocks() * BlockedShape.WORDS_PER_BLOCK)];
  }

  final int firstWord(long hash) {
    return (int) (shape.positionOf(hash, 0) / Long.SIZE);
  }

  int secondWord(long hash) {
    return (int) (shape.positionOf(hash, shape.hashes() / 2) / Long.SIZE);
  }

  final long firstMask(long hash) {
    return mask(hash, 0, shape.hashes() / 2);
  }

  long secondMask(long hash) {
    return mask(hash, shape.hashes() / 2, shape.hashes());
  }

  private long mask(long hash, int from, int to) {
    long mask = 0;
    for (int i = from; i < to; i++) {
      mask |= 1L << shape.positionOf(hash, i);
    }
    return mask;
  }

  @Override
  public boolean addHash(long hash) {
    boolean absent = !mightContainHash(hash);
    words[firstWord(hash)] |= firstMask(hash);
    words[secondWord(hash)] |= secondMask(hash);
    return absent;
  }

  @Override
  public boolean mightContainHash(long hash) {
    long missing = ~words[firstWord(hash)] & firstMask(hash);
    return (missing | (~words[secondWord(hash)] & secondMask(hash))) == 0;
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
  }

  final long setPositions() {
    return Arrays.stream(words).map(Long::bitCount).sum();
  }

  @Override
  public double expectedFpp() {
    return FilterEstimate.ofBlocks(
            shape, 1, word -> Long.bitCount(words[(int) word]), Integer.MAX_VALUE)
        .fpp()
        .value();
  }

  @Override
  public long approximateElementCount() {
    return Math.round(
        BlockedFormulas.estimatedElements(
            setPositions(), shape.blocks(), shape.positionsPerBlock(), shape.hashes()));
  }

  @Override
  public long memoryBytes() {
    return (long) Long.BYTES * words.length;
  }

  @Override
  public LongHashStrategy strategy() {
    return HashStrategies.longs();
  }
}
