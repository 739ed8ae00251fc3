package io.bloomkit.testkit.hash;

import io.bloomkit.testkit.stat.SetPositionsLaw;
import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import io.bloomkit.internal.BlockedIndexDerivation;
import java.util.Arrays;

/** The set positions of a filter of blocks, as its formulas see it. */
final class BlockedModel implements FilterModel {

  private final BlockedShape shape;
  private final long[] words;

  BlockedModel(BlockedShape shape) {
    this.shape = shape;
    words = new long[Math.toIntExact(shape.blocks() * BlockedShape.WORDS_PER_BLOCK)];
  }

  @Override
  public String label() {
    return "a model of blocked filters";
  }

  @Override
  public SetPositionsLaw law() {
    return SetPositionsLaw.of(shape);
  }

  @Override
  public void add(long hash) {
    words[firstWord(hash)] |= firstMask(hash);
    words[secondWord(hash)] |= secondMask(hash);
  }

  @Override
  public boolean mightContain(long hash) {
    return (words[firstWord(hash)] & firstMask(hash)) == firstMask(hash)
        && (words[secondWord(hash)] & secondMask(hash)) == secondMask(hash);
  }

  private int firstWord(long hash) {
    return (int) BlockedIndexDerivation.firstWord(hash, words.length);
  }

  private int secondWord(long hash) {
    return (int) BlockedIndexDerivation.secondWord(hash, words.length);
  }

  private long firstMask(long hash) {
    return BlockedIndexDerivation.bits(BlockedIndexDerivation.firstState(hash), shape.hashes() / 2);
  }

  private long secondMask(long hash) {
    return BlockedIndexDerivation.bits(
        BlockedIndexDerivation.secondState(hash), shape.hashes() / 2);
  }

  @Override
  public long setPositions() {
    return Arrays.stream(words).map(Long::bitCount).sum();
  }

  @Override
  public double rateOfState() {
    BlockedFormulas.FppOfState state = new BlockedFormulas.FppOfState(shape);
    for (long word : words) {
      state.addWord(Long.bitCount(word));
    }
    return state.fpp();
  }
}
