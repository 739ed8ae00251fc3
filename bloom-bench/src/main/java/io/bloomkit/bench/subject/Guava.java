package io.bloomkit.bench.subject;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import com.google.common.io.CountingOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Creates Guava's filters. */
final class Guava implements Maker {

  private static final List<Funnel<Long>> LONGS =
      List.of(
          Funnels.longFunnel(),
          (key, into) -> into.putLong(~key),
          (key, into) -> into.putLong(key).putLong(key));
  private static final Funnel<CharSequence> UTF_8 = Funnels.stringFunnel(StandardCharsets.UTF_8);
  private static final Funnel<CharSequence> CHARS = Funnels.unencodedCharsFunnel();
  private static final Funnel<CharSequence> LENGTH_AND_CHARS =
      (key, into) -> into.putInt(key.length()).putUnencodedChars(key);

  private final List<Funnel<CharSequence>> texts;

  private Guava(List<Funnel<CharSequence>> texts) {
    this.texts = texts;
  }

  /** Returns a maker of filters that hash texts as UTF-8. */
  static Guava utf8() {
    return new Guava(List.of(UTF_8, CHARS, LENGTH_AND_CHARS));
  }

  /** Returns a maker of filters that hash texts as UTF-16. */
  static Guava chars() {
    return new Guava(List.of(CHARS, UTF_8, LENGTH_AND_CHARS));
  }

  @Override
  public String longKeys() {
    return "boxed at each call";
  }

  @Override
  public LongFilter longs(int elements, double fpp, int strategy) {
    BloomFilter<Long> filter = BloomFilter.create(LONGS.get(strategy), elements, fpp);
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
  public TextFilter texts(int elements, double fpp, int strategy) {
    BloomFilter<CharSequence> filter = BloomFilter.create(texts.get(strategy), elements, fpp);
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
