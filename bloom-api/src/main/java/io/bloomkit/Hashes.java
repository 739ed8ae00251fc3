package io.bloomkit;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Objects;
import java.util.stream.StreamSupport;

/** What the interfaces of this package do with many hashes at once. */
final class Hashes {

  private static final Hasher64 XXH3 = Hashing.xxh3_64();

  private Hashes() {}

  /** The hashes of elements in the order of iteration; all of them, or an exception. */
  static <T> long[] of(HashStrategy<? super T> strategy, Iterable<? extends T> elements) {
    return StreamSupport.stream(elements.spliterator(), false)
        .mapToLong(element -> strategy.hash(Objects.requireNonNull(element, "element")))
        .toArray();
  }

  /** One number for a name and some hashes: the order counts. */
  static long fingerprint(String name, long... hashes) {
    long fingerprint = XXH3.hashCharsToLong(name);
    for (long hash : hashes) {
      fingerprint = chain(fingerprint, hash);
    }
    return fingerprint;
  }

  /** The hash of a sequence from the hash of all but its last part and the hash of that part. */
  static long chain(long hashOfParts, long hashOfNextPart) {
    return XXH3.hashLongLongToLong(hashOfParts, hashOfNextPart);
  }
}
