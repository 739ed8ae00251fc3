package io.bloomkit.counting;

import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.SectionReader;
import io.bloomkit.format.SectionRole;
import io.bloomkit.internal.WordArrays;
import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongMaps;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counters of four bits, sixteen to a word, that count on beyond fifteen: the excess of the few
 * that get there stands in a hash table and is given back first.
 *
 * <p>So a counter neither sticks at its largest value, which would keep removed elements for ever,
 * nor wraps around, which would lose others. Four bits are enough for nearly all: with distinct
 * elements at the design load a counter reaches sixteen with probability 1.37·10<sup>-15</sup> (L.
 * Fan et al., <i>Summary cache</i>, 2000, section V.C), so the table stays empty but for elements
 * that are added many times.
 *
 * <p>Invariant: a counter has an excess only while its four bits are all ones, and never one of
 * zero.
 *
 * <p>The methods that end in {@code Shared} may be called by several threads at once. There, four
 * bits change by compare-and-set; whoever finds them full takes this object's monitor and looks
 * again, and only a holder of the monitor takes from a full counter or touches the table. Who takes
 * from a counter keeps others from taking from it meanwhile; how, is up to the filter.
 */
final class CounterArray {

  static final int COUNTERS_PER_WORD = 16;
  private static final int COUNTERS_PER_WORD_LOG_2 = 4;
  private static final int BITS_PER_COUNTER_LOG_2 = 2;
  private static final int FULL = 15;

  /** How far the highest bit of a counter is from its lowest. */
  private static final int TOP_BIT = 3;

  /** Four bits of every byte, with four zeros above them that take a carry. */
  private static final long EVEN_COUNTERS = 0x0f0f0f0f0f0f0f0fL;

  /** The carry out of each counter of {@link #EVEN_COUNTERS}. */
  private static final long CARRIES = 0x1010101010101010L;

  static final long MAX_COUNTERS = (long) WordArrays.MAX_LENGTH << COUNTERS_PER_WORD_LOG_2;

  /**
   * The most that adding two arrays may make of a counter: so far below the largest {@code long}
   * that no number of single increments gets there.
   */
  static final long MAX_SUM = 1L << 62;

  /** The most that a file may say, so that every array that can be made can be written and read. */
  private static final long MAX_READ = 3L << 61;

  private final long[] words;
  private final Long2LongOpenHashMap excess;

  CounterArray(long counters) {
    this(new long[wordCount(counters)], new Long2LongOpenHashMap(0));
  }

  private CounterArray(long[] words, Long2LongOpenHashMap excess) {
    this.words = words;
    this.excess = excess;
  }

  private static int wordCount(long counters) {
    return (int) ((counters + COUNTERS_PER_WORD - 1) >>> COUNTERS_PER_WORD_LOG_2);
  }

  /** The bytes of so many counters while none exceeds fifteen. */
  static long memoryBytes(long counters) {
    return (long) wordCount(counters) * Long.BYTES;
  }

  /** The four bits of a counter: all ones if it is fifteen or more. */
  int fourBits(long index) {
    return fourBits(words[wordOf(index)], index);
  }

  boolean isZeroShared(long index) {
    return fourBits((long) WordArrays.WORDS.getAcquire(words, wordOf(index)), index) == 0;
  }

  long get(long index) {
    int fourBits = fourBits(index);
    return fourBits < FULL ? fourBits : FULL + excess.get(index);
  }

  long getShared(long index) {
    int fourBits = fourBits((long) WordArrays.WORDS.getAcquire(words, wordOf(index)), index);
    if (fourBits < FULL) {
      return fourBits;
    }
    synchronized (this) {
      return get(index);
    }
  }

  /**
   * Adds one.
   *
   * @return 1 if the counter was zero, else 0: a number, since callers add it up and a branch on it
   *     would be mispredicted every other time
   */
  int increment(long index) {
    int word = wordOf(index);
    long before = words[word];
    int fourBits = fourBits(before, index);
    if (fourBits == FULL) {
      excess.addTo(index, 1);
    } else {
      words[word] = before + one(index);
    }
    return oneIfZero(fourBits);
  }

  int incrementShared(long index) {
    int word = wordOf(index);
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      int fourBits = fourBits(before, index);
      if (fourBits == FULL) {
        return incrementLocked(index);
      }
      if (WordArrays.WORDS.weakCompareAndSet(words, word, before, before + one(index))) {
        return oneIfZero(fourBits);
      }
    }
  }

  private synchronized int incrementLocked(long index) {
    int word = wordOf(index);
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      int fourBits = fourBits(before, index);
      if (fourBits == FULL) {
        excess.addTo(index, 1);
        return 0;
      }
      if (WordArrays.WORDS.compareAndSet(words, word, before, before + one(index))) {
        return oneIfZero(fourBits);
      }
    }
  }

  /**
   * Takes one from a counter that is not zero.
   *
   * @return 1 if the counter is zero now, else 0
   */
  int decrement(long index) {
    int word = wordOf(index);
    long before = words[word];
    int fourBits = fourBits(before, index);
    if (fourBits == FULL && takeExcess(index)) {
      return 0;
    }
    words[word] = before - one(index);
    return oneIfZero(fourBits - 1);
  }

  /**
   * {@link #decrement} for a caller who keeps all others from decrementing this counter, while they
   * may increment it.
   */
  int decrementShared(long index) {
    int word = wordOf(index);
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      int fourBits = fourBits(before, index);
      if (fourBits == FULL) {
        decrementLocked(index);
        return 0;
      }
      if (WordArrays.WORDS.compareAndSet(words, word, before, before - one(index))) {
        return oneIfZero(fourBits - 1);
      }
    }
  }

  /** Takes one from a counter whose four bits are all ones, and stay so but for this caller. */
  private synchronized void decrementLocked(long index) {
    int word = wordOf(index);
    while (!takeExcess(index)) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      if (WordArrays.WORDS.compareAndSet(words, word, before, before - one(index))) {
        return;
      }
    }
  }

  /**
   * Returns those counters of a mask that are zero. A mask has the lowest bit of each counter of a
   * word that is meant; what is returned has the highest.
   */
  long zeros(int word, long mask) {
    return zerosIn(words[word], mask);
  }

  long zerosShared(int word, long mask) {
    return zerosIn((long) WordArrays.WORDS.getAcquire(words, word), mask);
  }

  private static long zerosIn(long word, long mask) {
    long tops = mask << TOP_BIT;
    // Seven more carries into the top bit of a counter unless its lower three are zero.
    return tops & ~(((word & ~tops) + (tops - mask)) | word);
  }

  /** Adds one to each counter of a mask and returns those that were zero, as {@link #zeros}. */
  long incrementAll(int word, long mask) {
    long before = words[word];
    if (areBelowEight(before, mask)) {
      words[word] = before + mask;
    } else {
      for (long left = mask; left != 0; left &= left - 1) {
        increment(firstOf(word) + counterOf(left));
      }
    }
    return zerosIn(before, mask);
  }

  long incrementAllShared(int word, long mask) {
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      if (!areBelowEight(before, mask)) {
        return incrementEachShared(word, mask);
      }
      if (WordArrays.WORDS.weakCompareAndSet(words, word, before, before + mask)) {
        return zerosIn(before, mask);
      }
    }
  }

  private long incrementEachShared(int word, long mask) {
    long zeros = 0;
    for (long left = mask; left != 0; left &= left - 1) {
      int counter = counterOf(left);
      long wasZero = incrementShared(firstOf(word) + counter);
      zeros |= wasZero << (TOP_BIT + (counter << BITS_PER_COUNTER_LOG_2));
    }
    return zeros;
  }

  /**
   * Takes one from each counter of two masks, of two words, if none of these counters is zero.
   *
   * @return whether that is so; nothing has changed otherwise
   */
  boolean decrementIfNonZero(int word, long mask, int otherWord, long otherMask) {
    long before = words[word];
    long otherBefore = words[otherWord];
    long tops = mask << TOP_BIT;
    long otherTops = otherMask << TOP_BIT;
    if (((before & tops) | (otherBefore & otherTops)) == 0) {
      // All are below eight: seven more carry into the top bit, unless a counter is zero.
      long zeros =
          (tops & ~(before + (tops - mask)))
              | (otherTops & ~(otherBefore + (otherTops - otherMask)));
      if (zeros != 0) {
        return false;
      }
      words[word] = before - mask;
      words[otherWord] = otherBefore - otherMask;
      return true;
    }
    if ((zerosIn(before, mask) | zerosIn(otherBefore, otherMask)) != 0) {
      return false;
    }
    decrementEach(word, mask);
    decrementEach(otherWord, otherMask);
    return true;
  }

  private void decrementEach(int word, long mask) {
    for (long left = mask; left != 0; left &= left - 1) {
      decrement(firstOf(word) + counterOf(left));
    }
  }

  /**
   * Takes one from each counter of a mask, none of which is zero, for a caller as of {@link
   * #decrementShared}.
   */
  void decrementAllShared(int word, long mask) {
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      if (!areBelowEight(before, mask)) {
        break;
      }
      if (WordArrays.WORDS.compareAndSet(words, word, before, before - mask)) {
        return;
      }
    }
    for (long left = mask; left != 0; left &= left - 1) {
      decrementShared(firstOf(word) + counterOf(left));
    }
  }

  /**
   * Whether no counter of a mask is near to being full: what hardly ever fails is worth a test of
   * one bit.
   */
  private static boolean areBelowEight(long word, long mask) {
    return (word & mask << TOP_BIT) == 0;
  }

  /** The smallest counter of a mask that is not empty. */
  long least(int word, long mask) {
    long least = Long.MAX_VALUE;
    for (long left = mask; left != 0; left &= left - 1) {
      least = Math.min(least, get(firstOf(word) + counterOf(left)));
    }
    return least;
  }

  long leastShared(int word, long mask) {
    long least = Long.MAX_VALUE;
    for (long left = mask; left != 0; left &= left - 1) {
      least = Math.min(least, getShared(firstOf(word) + counterOf(left)));
    }
    return least;
  }

  /** Sixteen counters as they lie in memory, without what exceeds fifteen. */
  long word(int word) {
    return words[word];
  }

  /** {@link #word} of the one that a counter lies in. */
  long wordAt(long index) {
    return words[wordOf(index)];
  }

  private static int counterOf(long mask) {
    return Long.numberOfTrailingZeros(mask) >>> BITS_PER_COUNTER_LOG_2;
  }

  private boolean takeExcess(long index) {
    long beyond = excess.get(index);
    if (beyond == 0) {
      return false;
    }
    setExcess(index, beyond - 1);
    return true;
  }

  private void setExcess(long index, long beyond) {
    if (beyond == 0) {
      excess.remove(index);
    } else {
      excess.put(index, beyond);
    }
  }

  void clear() {
    Arrays.fill(words, 0);
    excess.clear();
    excess.trim();
  }

  /**
   * Adds the counters of another array of this length, which may be this one, and {@linkplain
   * #anyWithoutRoom has room} for them.
   */
  void add(CounterArray other) {
    // What needs memory comes before the first change. The copy is for when it is this very table.
    Long2LongOpenHashMap otherExcess = other.excess.clone();
    long entries = (long) excess.size() + otherExcess.size() + countOverflows(other);
    excess.ensureCapacity((int) Math.min(entries, Integer.MAX_VALUE));
    for (int i = 0; i < words.length; i++) {
      long a = words[i];
      long b = other.words[i];
      words[i] =
          overflows(a, b) == 0
              ? (even(a) + even(b)) | ((odd(a) + odd(b)) << 4)
              : addWithExcess(a, b, firstOf(i));
    }
    for (Long2LongMap.Entry entry : Long2LongMaps.fastIterable(otherExcess)) {
      excess.addTo(entry.getLongKey(), entry.getLongValue());
    }
  }

  /**
   * Returns the index of a counter that adding that of another array would bring above {@link
   * #MAX_SUM}, or −1 if there is none.
   */
  long anyWithoutRoom(CounterArray other) {
    long found = anyWithoutRoom(excess, other);
    return found >= 0 ? found : anyWithoutRoom(other.excess, other);
  }

  private long anyWithoutRoom(Long2LongOpenHashMap large, CounterArray other) {
    for (Long2LongMap.Entry entry : Long2LongMaps.fastIterable(large)) {
      long index = entry.getLongKey();
      if (other.get(index) > MAX_SUM - get(index)) {
        return index;
      }
    }
    return -1;
  }

  /** Returns how many counters get above fifteen, in their words, by adding those of another. */
  long countOverflows(CounterArray other) {
    long count = 0;
    for (int i = 0; i < words.length; i++) {
      count += Long.bitCount(overflows(words[i], other.words[i]));
    }
    return count;
  }

  /** A bit for each counter whose sum in two words is above fifteen. */
  private static long overflows(long a, long b) {
    return ((even(a) + even(b)) & CARRIES) | (((odd(a) + odd(b)) & CARRIES) >>> 4);
  }

  private static long even(long word) {
    return word & EVEN_COUNTERS;
  }

  private static long odd(long word) {
    return (word >>> 4) & EVEN_COUNTERS;
  }

  private long addWithExcess(long a, long b, long first) {
    long sum = 0;
    for (long index = first; index < first + COUNTERS_PER_WORD; index++) {
      int counter = fourBits(a, index) + fourBits(b, index);
      if (counter > FULL) {
        excess.addTo(index, counter - FULL);
      }
      sum |= one(index) * Math.min(counter, FULL);
    }
    return sum;
  }

  /** Returns the index of a counter that is less than that of another array, or −1 if none is. */
  long anyBelow(CounterArray other) {
    for (int i = 0; i < words.length; i++) {
      long a = words[i];
      long b = other.words[i];
      // A carry is left in place exactly where a counter of a is not less than that of b.
      long notLess = ((even(a) | CARRIES) - even(b)) & ((odd(a) | CARRIES) - odd(b));
      if ((notLess & CARRIES) != CARRIES) {
        for (long index = firstOf(i); ; index++) {
          if (get(index) < other.get(index)) {
            return index;
          }
        }
      }
    }
    for (Long2LongMap.Entry entry : Long2LongMaps.fastIterable(other.excess)) {
      if (excess.get(entry.getLongKey()) < entry.getLongValue()) {
        return entry.getLongKey();
      }
    }
    return -1;
  }

  /**
   * Subtracts the counters of another array, which may be this one, none of which is above its own.
   */
  void subtract(CounterArray other) {
    for (int i = 0; i < words.length; i++) {
      long a = words[i];
      long b = other.words[i];
      if (b != 0) {
        words[i] = excess.isEmpty() ? a - b : subtractWithExcess(a, b, other, firstOf(i));
      }
    }
  }

  private long subtractWithExcess(long a, long b, CounterArray other, long first) {
    long difference = 0;
    for (long index = first; index < first + COUNTERS_PER_WORD; index++) {
      int fourBits = fourBits(a, index);
      long left = (long) fourBits - fourBits(b, index);
      if (fourBits == FULL) {
        left += excess.get(index) - other.excess.get(index);
        setExcess(index, Math.max(0, left - FULL));
      }
      difference |= one(index) * Math.min(left, FULL);
    }
    return difference;
  }

  long countNonZero() {
    long count = 0;
    for (long word : words) {
      count += Long.bitCount(nonZero(word));
    }
    return count;
  }

  /** Returns a bit for each counter from a word on: whether it is not zero. */
  long[] toBits(int firstWord) {
    int count = words.length - firstWord;
    long[] bits = new long[(count + 3) / 4];
    for (int i = 0; i < count; i++) {
      bits[i / 4] |= packEveryFourthBit(nonZero(words[firstWord + i])) << (16 * (i % 4));
    }
    return bits;
  }

  /** How many counters of a word are not zero. */
  int countNonZero(int word) {
    return Long.bitCount(nonZero(words[word]));
  }

  /** The lowest bit of each counter set if any of its bits is. */
  private static long nonZero(long word) {
    long pairs = word | word >>> 1;
    return (pairs | pairs >>> 2) & 0x1111111111111111L;
  }

  private static long packEveryFourthBit(long word) {
    long pairs = (word | word >>> 3) & 0x0303030303030303L;
    long fours = (pairs | pairs >>> 6) & 0x000f000f000f000fL;
    long eights = (fours | fours >>> 12) & 0x000000ff000000ffL;
    return (eights | eights >>> 24) & 0xffff;
  }

  /** How many counters are above fifteen. */
  synchronized int overflowedCounters() {
    return excess.size();
  }

  /** The bytes of the words and, estimated from its entries, of the table. */
  synchronized long memoryBytes() {
    long slots =
        excess.isEmpty() ? 0 : HashCommon.arraySize(excess.size(), Hash.DEFAULT_LOAD_FACTOR);
    return (words.length + 2 * slots) * Long.BYTES;
  }

  /** The sum of all counters, or the largest {@code long} if it is above that. */
  synchronized long sum() {
    long sum = 0;
    for (long word : words) {
      long bytes = even(word) + odd(word); // each at most 30
      long shorts = (bytes & 0x00ff00ff00ff00ffL) + ((bytes >>> 8) & 0x00ff00ff00ff00ffL);
      sum += (shorts * 0x0001000100010001L) >>> 48;
    }
    for (Long2LongMap.Entry entry : Long2LongMaps.fastIterable(excess)) {
      sum += Math.min(entry.getLongValue(), Long.MAX_VALUE - sum);
    }
    return sum;
  }

  /** Adds what is written of the counters from a word on. */
  synchronized FilterContents.Builder addTo(FilterContents.Builder contents, int firstWord) {
    long[] indices = excess.keySet().toLongArray();
    Arrays.sort(indices);
    long[] pairs = new long[2 * indices.length];
    for (int i = 0; i < indices.length; i++) {
      pairs[2 * i] = indices[i] - firstOf(firstWord);
      pairs[2 * i + 1] = excess.get(indices[i]);
    }
    return contents
        .section(SectionRole.WORDS, words, firstWord, words.length - firstWord)
        .section(SectionRole.EXCESS, pairs);
  }

  /**
   * Reads what {@link #addTo} has written.
   *
   * @param firstWord how many words of zeros the array has before it
   * @param counters the number of counters that are meant
   */
  static CounterArray read(FilterReader reader, int firstWord, long counters) throws IOException {
    int wordCount = wordCount(counters);
    SectionReader section = reader.section(SectionRole.WORDS, wordCount);
    long[] words = new long[firstWord + wordCount]; // as large as was received
    section.readInto(words, firstWord, wordCount);
    long unused = firstOf(wordCount) - counters;
    if (unused > 0 && words[words.length - 1] >>> (Long.SIZE - 4 * unused) != 0) {
      throw reader.wrongSection("counters beyond the last of " + counters + " are not zero");
    }
    CounterArray array = new CounterArray(words, new Long2LongOpenHashMap(0));
    array.readExcess(reader, firstOf(firstWord), counters);
    return array;
  }

  private void readExcess(FilterReader reader, long first, long counters) throws IOException {
    SectionReader section = reader.table(SectionRole.EXCESS, 2 * counters, 2);
    long previous = -1;
    for (long entry = 0; entry < section.words() / 2; entry++) {
      long index = section.next();
      long beyond = section.next();
      if (index <= previous || index >= counters) {
        throw reader.wrongSection(
            "the counter of entry "
                + entry
                + " must lie in ["
                + (previous + 1)
                + ", "
                + (counters - 1)
                + "] but is "
                + index);
      }
      if (beyond < 1 || beyond > MAX_READ) {
        throw reader.wrongSection(
            "what counter " + index + " exceeds 15 by must lie in [1, 3 * 2^61] but is " + beyond);
      }
      if (fourBits(words[wordOf(first + index)], first + index) != FULL) {
        throw reader.wrongSection(
            "counter " + index + " exceeds 15 but its four bits do not say so");
      }
      excess.put(first + index, beyond);
      previous = index;
    }
  }

  CounterArray copy() {
    return new CounterArray(words.clone(), excess.clone());
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof CounterArray other
        && Arrays.equals(words, other.words)
        && excess.equals(other.excess);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(words), excess);
  }

  private static int wordOf(long index) {
    return (int) (index >>> COUNTERS_PER_WORD_LOG_2);
  }

  private static long firstOf(int word) {
    return (long) word << COUNTERS_PER_WORD_LOG_2;
  }

  private static int fourBits(long word, long index) {
    return (int) (word >>> (index << BITS_PER_COUNTER_LOG_2)) & FULL;
  }

  private static int oneIfZero(int fourBits) {
    return (fourBits - 1) >>> (Integer.SIZE - 1);
  }

  private static long one(long index) {
    return 1L << (index << BITS_PER_COUNTER_LOG_2);
  }
}
