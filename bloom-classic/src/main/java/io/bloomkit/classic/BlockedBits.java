package io.bloomkit.classic;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import io.bloomkit.internal.WordArrays;
import java.lang.invoke.VarHandle;

/**
 * The bits of a {@link BlockedBloomFilter}, as static functions over its array, whose blocks begin
 * after {@link WordArrays#BLOCK_PADDING} words: each operation in a plain form and in a shared one,
 * which any number of threads may call.
 *
 * <p>Each function has one caller, and thus a profile of its own.
 */
final class BlockedBits {

  private BlockedBits() {}

  /** Returns whether all bits of a hash are set. */
  static boolean contains(
      long[] words, long wordsOfBlocks, int hashesPerWord, boolean fullWords, long hash) {
    long first = words[first(hash, wordsOfBlocks, fullWords)];
    long second = words[second(hash, wordsOfBlocks, fullWords)];
    long missing =
        (~first & BlockedProbe.firstMask(hash, wordsOfBlocks, hashesPerWord, fullWords))
            | (~second & BlockedProbe.secondMask(hash, wordsOfBlocks, hashesPerWord, fullWords));
    return missing == 0;
  }

  /** The shared form of {@link #contains}. */
  static boolean containsShared(
      long[] words, long wordsOfBlocks, int hashesPerWord, boolean fullWords, long hash) {
    long first = (long) WordArrays.WORDS.getOpaque(words, first(hash, wordsOfBlocks, fullWords));
    long second = (long) WordArrays.WORDS.getOpaque(words, second(hash, wordsOfBlocks, fullWords));
    // Acquire: a thread that sees a bit also sees what its setter saw, so that its later queries
    // agree.
    VarHandle.acquireFence();
    long missing =
        (~first & BlockedProbe.firstMask(hash, wordsOfBlocks, hashesPerWord, fullWords))
            | (~second & BlockedProbe.secondMask(hash, wordsOfBlocks, hashesPerWord, fullWords));
    return missing == 0;
  }

  /** Sets all bits of a hash. Returns whether one of them was not set. */
  static boolean add(
      long[] words, long wordsOfBlocks, int hashesPerWord, boolean fullWords, long hash) {
    long firstMask = BlockedProbe.firstMask(hash, wordsOfBlocks, hashesPerWord, fullWords);
    long secondMask = BlockedProbe.secondMask(hash, wordsOfBlocks, hashesPerWord, fullWords);
    int firstIndex = first(hash, wordsOfBlocks, fullWords);
    long first = words[firstIndex];
    words[firstIndex] = first | firstMask;
    int secondIndex = second(hash, wordsOfBlocks, fullWords); // the same one unless fullWords
    long second = words[secondIndex];
    words[secondIndex] = second | secondMask;
    return ((~first & firstMask) | (~second & secondMask)) != 0;
  }

  /** The shared form of {@link #add}. */
  static boolean addShared(
      long[] words, long wordsOfBlocks, int hashesPerWord, boolean fullWords, long hash) {
    long firstMask = BlockedProbe.firstMask(hash, wordsOfBlocks, hashesPerWord, fullWords);
    long secondMask = BlockedProbe.secondMask(hash, wordsOfBlocks, hashesPerWord, fullWords);
    boolean firstIsNew = setShared(words, first(hash, wordsOfBlocks, fullWords), firstMask);
    return setShared(words, second(hash, wordsOfBlocks, fullWords), secondMask) || firstIsNew;
  }

  private static boolean setShared(long[] words, int index, long mask) {
    // Set bits are left alone, so that repeats do not take the cache line from other threads.
    return (~(long) WordArrays.WORDS.getAcquire(words, index) & mask) != 0
        && (~(long) WordArrays.WORDS.getAndBitwiseOr(words, index, mask) & mask) != 0;
  }

  /** Loads the cache lines of some elements. Returns a mix of their words. */
  static long load(
      long[] words, long wordsOfBlocks, boolean fullWords, long[] elements, int from, int to) {
    long all = 0;
    for (int i = from; i < to; i++) {
      all ^= words[first(elements[i], wordsOfBlocks, fullWords)]; // the second lies in its line
    }
    return all;
  }

  /** Returns the false-positive probability of the present bits. */
  static double fpp(long[] words, BlockedShape shape) {
    boolean fullWords = shape.positionsPerWord() == Long.SIZE;
    BlockedFormulas.FppOfState sum = new BlockedFormulas.FppOfState(shape);
    for (long word = 0; word < shape.blocks() * BlockedShape.WORDS_PER_BLOCK; word++) {
      long bits = words[WordArrays.BLOCK_PADDING + (int) BlockedProbe.index(word, fullWords)];
      sum.addWord(Long.bitCount(fullWords ? bits : BlockedProbe.quarter(bits, word)));
    }
    return sum.fpp();
  }

  private static int first(long hash, long wordsOfBlocks, boolean fullWords) {
    return WordArrays.BLOCK_PADDING + (int) BlockedProbe.first(hash, wordsOfBlocks, fullWords);
  }

  private static int second(long hash, long wordsOfBlocks, boolean fullWords) {
    return WordArrays.BLOCK_PADDING + (int) BlockedProbe.second(hash, wordsOfBlocks, fullWords);
  }
}
