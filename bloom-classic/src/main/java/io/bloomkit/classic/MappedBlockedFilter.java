package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterEstimate;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.Prefetch;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.MappedFile;
import io.bloomkit.internal.format.MappedWords;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A memory-mapped {@link BlockedBloomFilter}. In the file, blocks begin at multiples of 64 bytes.
 */
final class MappedBlockedFilter<T> extends MappedFilter<T> {

  private final BlockedShape shape;
  private final BlockedProbe probe;

  private MappedBlockedFilter(
      HashStrategy<? super T> strategy,
      BlockedShape shape,
      FilterReader reader,
      MappedWords words,
      Path file) {
    super(strategy, shape, reader, words, file);
    this.shape = shape;
    this.probe = BlockedProbe.of(shape);
  }

  /** Reads the header of a file and maps its words. */
  static <T> MappedFilter<T> open(Path file, HashStrategy<? super T> strategy) throws IOException {
    StrategyIdentity identity = StrategyIdentity.of(strategy);
    return MappedFile.open(
        file,
        mapped -> {
          FilterReader reader = mapped.reader();
          BlockedShape shape = BitsFile.readBlocked(reader, identity, Shape.MAX_POSITIONS);
          MappedWords words = BitsFile.mappedWords(mapped, shape);
          return new MappedBlockedFilter<>(strategy, shape, reader, words, file);
        });
  }

  @Override
  public boolean mightContainHash(long hash) {
    return isPositive(words(), hash);
  }

  private boolean isPositive(MappedWords words, long hash) {
    long firstWord = probe.firstWord(hash);
    long secondWord = probe.secondWord(hash);
    long missing =
        (~words.get(probe.index(firstWord)) & probe.firstMask(hash, firstWord))
            | (~words.get(probe.index(secondWord)) & probe.secondMask(hash, secondWord));
    return missing == 0;
  }

  @Override
  public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    Arguments.checkQuery(hashes, offset, length, answers);
    MappedWords words = words();
    int positives = 0;
    int end = offset + length;
    for (int from = offset; from < end; from += Math.min(BlockedBloomFilter.BATCH, end - from)) {
      int to = from + Math.min(BlockedBloomFilter.BATCH, end - from);
      Prefetch.keep(readAhead(words, hashes, from, to));
      for (int i = from; i < to; i++) {
        boolean answer = isPositive(words, hashes[i]);
        answers[i] = answer;
        positives += answer ? 1 : 0;
      }
    }
    return positives;
  }

  private long readAhead(MappedWords words, long[] hashes, int from, int to) {
    long combined = 0;
    for (int i = from; i < to; i++) {
      combined ^= words.get(probe.index(probe.firstWord(hashes[i])));
    }
    return combined;
  }

  /** {@inheritDoc} Reads the whole file. */
  @Override
  public double expectedFpp() {
    return estimate(Integer.MAX_VALUE).fpp().value();
  }

  @Override
  public FilterEstimate estimate(int lines) {
    MappedWords words = words();
    return FilterEstimate.ofBlocks(
        shape,
        probe.blocksPerLine(),
        word -> probe.setPositions(words.get(probe.index(word)), word),
        lines);
  }
}
