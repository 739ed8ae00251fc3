package io.bloomkit.classic;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.IndexDerivation;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.MappedFile;
import io.bloomkit.internal.format.MappedWords;
import java.io.IOException;
import java.nio.file.Path;

/** A memory-mapped {@link ClassicBloomFilter}. */
final class MappedClassicFilter<T> extends MappedFilter<T> {

  private static final int BITS_PER_WORD_LOG_2 = 6;

  private final long positions;
  private final int hashes;

  private MappedClassicFilter(
      HashStrategy<? super T> strategy,
      FlatShape shape,
      FilterReader reader,
      MappedWords words,
      Path file) {
    super(strategy, shape, reader, words, file);
    this.positions = shape.positions();
    this.hashes = shape.hashes();
  }

  /** Reads the header of a file and maps its words. */
  static <T> MappedFilter<T> open(Path file, HashStrategy<? super T> strategy) throws IOException {
    StrategyIdentity identity = StrategyIdentity.of(strategy);
    return MappedFile.open(
        file,
        mapped -> {
          FilterReader reader = mapped.reader();
          FlatShape shape = BitsFile.readFlat(reader, identity, Shape.MAX_POSITIONS);
          MappedWords words = BitsFile.mappedWords(mapped, shape);
          return new MappedClassicFilter<>(strategy, shape, reader, words, file);
        });
  }

  /** The loop of {@link FlatBits#contains}, over mapped words. */
  @Override
  public boolean mightContainHash(long hash) {
    MappedWords words = words();
    long state = IndexDerivation.start(hash);
    int remaining = hashes;
    if (remaining >= 3) {
      long second = IndexDerivation.next(state);
      long third = IndexDerivation.next(second);
      if ((bitOf(words, state) & bitOf(words, second) & bitOf(words, third) & 1) == 0) {
        return false;
      }
      state = IndexDerivation.next(third);
      remaining -= 3;
    }
    if (remaining >= 4) {
      long second = IndexDerivation.next(state);
      long third = IndexDerivation.next(second);
      long fourth = IndexDerivation.next(third);
      if ((bitOf(words, state)
              & bitOf(words, second)
              & bitOf(words, third)
              & bitOf(words, fourth)
              & 1)
          == 0) {
        return false;
      }
      state = IndexDerivation.next(fourth);
      remaining -= 4;
    }
    for (; remaining > 0; remaining--) {
      if ((bitOf(words, state) & 1) == 0) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  /** Returns a word whose lowest bit is the bit of a state. */
  private long bitOf(MappedWords words, long state) {
    long position = IndexDerivation.position(state, positions);
    return words.get(position >>> BITS_PER_WORD_LOG_2) >>> position;
  }

  /** {@inheritDoc} Reads the whole file. */
  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(setPositions(), positions, hashes);
  }

  @Override
  public FilterEstimate estimate(int lines) {
    MappedWords words = words();
    return FilterEstimate.ofFlat(
        positions, hashes, Long.SIZE, word -> Long.bitCount(words.get(word)), lines);
  }
}
