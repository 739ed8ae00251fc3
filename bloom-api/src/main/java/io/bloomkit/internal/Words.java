package io.bloomkit.internal;

/** A sequence of 64-bit words to be written, in any representation. */
public interface Words {

  long size();

  /**
   * Returns a word.
   *
   * @param index from 0 to {@link #size} − 1
   */
  long get(long index);

  /** Words of an array. */
  final class OfLongs implements Words {

    private final long[] array;
    private final int from;
    private final int count;

    public OfLongs(long[] array, int from, int count) {
      this.array = array;
      this.from = from;
      this.count = count;
    }

    @Override
    public long size() {
      return count;
    }

    @Override
    public long get(long index) {
      return array[from + (int) index];
    }
  }

  /**
   * Bytes of an array, as little-endian words of eight bytes. The last word is padded with zeros.
   */
  final class OfBytes implements Words {

    private final byte[] array;
    private final int count;

    public OfBytes(byte[] array, int count) {
      this.array = array;
      this.count = count;
    }

    @Override
    public long size() {
      return ((long) count + Long.BYTES - 1) / Long.BYTES;
    }

    @Override
    public long get(long index) {
      long start = index * Long.BYTES;
      if (start + Long.BYTES <= count) {
        return LittleEndian.getLong(array, (int) start);
      }
      long word = 0;
      for (int i = count - 1; i >= start; i--) {
        word = word << Byte.SIZE | (array[i] & 0xff);
      }
      return word;
    }
  }

  /** The bits that differ between two versions of a section, of which the first may be inverted. */
  final class Difference implements Words {

    private final Words before;
    private final Words after;
    private final long inversion;

    /**
     * Creates the difference of two versions.
     *
     * @param before the old version; words beyond its end count as zero, before they are inverted
     * @param after the new version, which has as many words as the difference
     * @param inverted whether all bits of the old version are inverted first
     */
    public Difference(Words before, Words after, boolean inverted) {
      this.before = before;
      this.after = after;
      this.inversion = inverted ? -1 : 0;
    }

    @Override
    public long size() {
      return after.size();
    }

    @Override
    public long get(long index) {
      return after.get(index) ^ inversion ^ (index < before.size() ? before.get(index) : 0);
    }
  }
}
