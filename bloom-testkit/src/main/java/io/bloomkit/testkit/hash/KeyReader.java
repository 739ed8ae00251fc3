package io.bloomkit.testkit.hash;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reads distinct keys from a collection or a function, and creates equal keys if possible. */
final class KeyReader<T> {

  /** The largest number of indexes tried per key, since a function may repeat keys. */
  private static final int TRIES_PER_KEY = 4;

  private final Iterable<? extends T> elements;
  private final @Nullable LongFunction<? extends T> source;

  /** The index from which the function created each key. */
  private final List<Long> indexes = new ArrayList<>();

  private KeyReader(Iterable<? extends T> elements, @Nullable LongFunction<? extends T> source) {
    this.elements = elements;
    this.source = source;
  }

  static <T> KeyReader<T> of(Iterable<? extends T> elements) {
    return new KeyReader<>(elements, null);
  }

  static <T> KeyReader<T> of(LongFunction<? extends T> source) {
    return new KeyReader<>(List.of(), source);
  }

  /** Returns the first distinct keys, up to a number. */
  List<T> read(int most) {
    indexes.clear();
    List<T> keys = new ArrayList<>();
    Set<Object> seen = new HashSet<>();
    if (source == null) {
      Iterator<? extends T> iterator = elements.iterator();
      while (keys.size() < most && iterator.hasNext()) {
        T key = Objects.requireNonNull(iterator.next(), "element");
        if (seen.add(KeyTypes.identity(key))) {
          keys.add(key);
        }
      }
    } else {
      for (long i = 0; keys.size() < most && i < (long) TRIES_PER_KEY * most; i++) {
        T key = Objects.requireNonNull(source.apply(i), "element");
        if (seen.add(KeyTypes.identity(key))) {
          keys.add(key);
          indexes.add(i);
        }
      }
    }
    return keys;
  }

  /** Returns a new key equal to the one read at an index; null if none can be created. */
  @Nullable T again(int place) {
    return source == null ? null : source.apply(indexes.get(place));
  }
}
