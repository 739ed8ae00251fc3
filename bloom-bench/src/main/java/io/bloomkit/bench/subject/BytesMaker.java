package io.bloomkit.bench.subject;

import com.google.common.primitives.Longs;
import java.nio.charset.StandardCharsets;

/** Creates filters of a library that takes every key as a new array of bytes. */
abstract class BytesMaker implements Maker {

  /** A filter of bytes. */
  interface BytesFilter {
    boolean add(byte[] key);

    boolean mightContain(byte[] key);

    boolean remove(byte[] key);

    long bits();
  }

  abstract BytesFilter bytes(int elements, double fpp);

  @Override
  public LongFilter longs(int elements, double fpp) {
    BytesFilter filter = bytes(elements, fpp);
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        return filter.add(Longs.toByteArray(key));
      }

      @Override
      public boolean mightContain(long key) {
        return filter.mightContain(Longs.toByteArray(key));
      }

      @Override
      public boolean remove(long key) {
        return filter.remove(Longs.toByteArray(key));
      }

      @Override
      public long bits() {
        return filter.bits();
      }
    };
  }

  @Override
  public TextFilter texts(int elements, double fpp) {
    BytesFilter filter = bytes(elements, fpp);
    return new TextFilter() {
      @Override
      public boolean add(String key) {
        return filter.add(key.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public boolean mightContain(String key) {
        return filter.mightContain(key.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public boolean remove(String key) {
        return filter.remove(key.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public long bits() {
        return filter.bits();
      }
    };
  }
}
