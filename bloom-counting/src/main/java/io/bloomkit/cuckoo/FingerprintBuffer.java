package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;
import java.util.ArrayList;
import java.util.List;

/**
 * A buffer for ascending fingerprints, or entries of fingerprints with stamps. It allocates memory
 * page by page as fingerprints are added, and reuses the pages.
 */
final class FingerprintBuffer {

  private static final int PAGE_BITS = 9;
  private static final int PAGE = 1 << PAGE_BITS;

  private final List<long[]> pages = new ArrayList<>();
  private int size;

  int size() {
    return size;
  }

  long get(int index) {
    return pages.get(index >>> PAGE_BITS)[index & (PAGE - 1)];
  }

  private void set(int index, long entry) {
    pages.get(index >>> PAGE_BITS)[index & (PAGE - 1)] = entry;
  }

  /** Adds a fingerprint or entry that is above all others. */
  void addEntry(long entry) {
    if (size == pages.size() << PAGE_BITS) {
      pages.add(WordArrays.allocate(PAGE));
    }
    set(size++, entry);
  }

  /** Removes the lowest fingerprints. */
  void removeFirst(int count) {
    for (int i = count; i < size; i++) {
      set(i - count, get(i));
    }
    size -= count;
  }

  int sizeBelow(long end) {
    int from = 0;
    int to = size;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (get(middle) < end) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /**
   * Adds the lowest fingerprints to a table, with a shift added to each fingerprint.
   *
   * @return false if they do not fit
   */
  boolean addTo(TableFiller table, int count, long shift) {
    for (int from = 0; from < count; from += PAGE) {
      long[] page = pages.get(from >>> PAGE_BITS);
      if (!table.addEntries(page, 0, Math.min(PAGE, count - from), shift)) {
        return false;
      }
    }
    return true;
  }
}
