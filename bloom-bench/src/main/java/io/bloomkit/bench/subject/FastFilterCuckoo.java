package io.bloomkit.bench.subject;

import java.util.function.LongConsumer;
import org.fastfilter.Filter;
import org.fastfilter.cuckoo.Cuckoo16;
import org.fastfilter.cuckoo.Cuckoo8;

/**
 * Creates FastFilter's cuckoo filters. Their false-positive rate follows from the eight or sixteen
 * bits per fingerprint, at the load factor of that library.
 */
final class FastFilterCuckoo {

  private static final double FULL = 0.95;

  /** Additional capacity, without which small tables overflow. */
  private static final int SPARE = 64;

  private FastFilterCuckoo() {}

  static LongFilter ofEightBits(int elements, double fpp) {
    Cuckoo8 filter = new Cuckoo8(capacity(elements));
    return of(filter, filter::insert);
  }

  static LongFilter ofSixteenBits(int elements, double fpp) {
    Cuckoo16 filter = new Cuckoo16(capacity(elements));
    return of(filter, filter::insert);
  }

  private static LongFilter of(Filter filter, LongConsumer insert) {
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        insert.accept(key);
        return true;
      }

      @Override
      public boolean mightContain(long key) {
        return filter.mayContain(key);
      }

      @Override
      public long bits() {
        return filter.getBitCount();
      }
    };
  }

  private static int capacity(int elements) {
    return SPARE + (int) (elements / FULL);
  }
}
