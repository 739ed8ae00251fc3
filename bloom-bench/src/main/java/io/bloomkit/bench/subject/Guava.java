package io.bloomkit.bench.subject;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import com.google.common.io.CountingOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Creates Guava's filters. */
final class Guava implements Maker {

  private static final Funnel<CharSequence> TEXTS = Funnels.stringFunnel(StandardCharsets.UTF_8);

  @Override
  public LongFilter longs(int elements, double fpp) {
    BloomFilter<Long> filter = BloomFilter.create(Funnels.longFunnel(), elements, fpp);
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        return filter.put(key);
      }

      @Override
      public boolean mightContain(long key) {
        return filter.mightContain(key);
      }

      @Override
      public long bits() {
        return writtenBits(filter);
      }
    };
  }

  @Override
  public TextFilter texts(int elements, double fpp) {
    BloomFilter<CharSequence> filter = BloomFilter.create(TEXTS, elements, fpp);
    return new TextFilter() {
      @Override
      public boolean add(String key) {
        return filter.put(key);
      }

      @Override
      public boolean mightContain(String key) {
        return filter.mightContain(key);
      }

      @Override
      public long bits() {
        return writtenBits(filter);
      }
    };
  }

  /**
   * Returns the size of the written filter in bits. Guava does not expose the size of its array,
   * which is nearly the whole file.
   */
  static long writtenBits(BloomFilter<?> filter) {
    CountingOutputStream out = new CountingOutputStream(OutputStream.nullOutputStream());
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Byte.SIZE * out.getCount();
  }
}
