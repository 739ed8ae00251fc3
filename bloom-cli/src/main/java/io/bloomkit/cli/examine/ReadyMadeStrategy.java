package io.bloomkit.cli.examine;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The strategies of {@link HashStrategies} by their names on the command line. */
final class ReadyMadeStrategy {

  /** The separator between an encoding and a bytes hash. */
  private static final String OVER = ":";

  /**
   * The parameters of strategies that need more than a name.
   *
   * @param salt the salt of Murmur3
   * @param key supplies the key of SipHash, only if it is needed
   */
  record Settings(int salt, Supplier<byte[]> key) {}

  private static final Map<String, Subject<?>> ENCODINGS = new LinkedHashMap<>();
  private static final Map<String, Function<BytesHashStrategy, Subject<?>>> ENCODINGS_OVER =
      new LinkedHashMap<>();
  private static final Map<String, Function<Settings, BytesHashStrategy>> BYTES_HASHES =
      new LinkedHashMap<>();

  static {
    ENCODINGS.put("utf8", new Subject<>(HashStrategies.utf8(), KeyForm.TEXT));
    ENCODINGS.put("chars", new Subject<>(HashStrategies.chars(), KeyForm.TEXT));
    ENCODINGS.put("bytes", new Subject<>(HashStrategies.bytes(), KeyForm.BYTES));
    ENCODINGS.put("longs", new Subject<>(HashStrategies.longs(), KeyForm.LONG));
    ENCODINGS.put("ints", new Subject<>(HashStrategies.ints(), KeyForm.INT));
    ENCODINGS.put("uuids", new Subject<>(HashStrategies.uuids(), KeyForm.IDENTIFIER));
    BYTES_HASHES.put("md5", settings -> HashStrategies.md5());
    BYTES_HASHES.put("sha384", settings -> HashStrategies.sha384());
    BYTES_HASHES.put("murmur3", settings -> HashStrategies.murmur3(settings.salt()));
    BYTES_HASHES.put("siphash24", settings -> HashStrategies.sipHash24(settings.key().get()));
    ENCODINGS_OVER.put("utf8", h -> new Subject<>(HashStrategies.utf8(h), KeyForm.TEXT));
    ENCODINGS_OVER.put("longs", h -> new Subject<>(HashStrategies.longs(h), KeyForm.LONG));
    ENCODINGS_OVER.put("uuids", h -> new Subject<>(HashStrategies.uuids(h), KeyForm.IDENTIFIER));
  }

  private ReadyMadeStrategy() {}

  /** Returns all names: encodings, bytes hashes, and encodings over bytes hashes. */
  static List<String> names() {
    List<String> names = new ArrayList<>(ENCODINGS.keySet());
    names.addAll(BYTES_HASHES.keySet());
    for (String encoding : ENCODINGS_OVER.keySet()) {
      for (String hash : BYTES_HASHES.keySet()) {
        names.add(encoding + OVER + hash);
      }
    }
    return names;
  }

  /** Returns the strategy with a name, or null if there is none. */
  static @Nullable Subject<?> of(String name, Settings settings) {
    Subject<?> encoding = ENCODINGS.get(name);
    if (encoding != null) {
      return encoding;
    }
    int colon = name.indexOf(OVER);
    Function<Settings, BytesHashStrategy> hash =
        BYTES_HASHES.get(name.substring(colon + OVER.length()));
    if (colon < 0) {
      hash = BYTES_HASHES.get(name);
      return hash == null ? null : new Subject<>(hash.apply(settings), KeyForm.BYTES);
    }
    Function<BytesHashStrategy, Subject<?>> over = ENCODINGS_OVER.get(name.substring(0, colon));
    return hash == null || over == null ? null : over.apply(hash.apply(settings));
  }
}
