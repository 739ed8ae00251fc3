package io.bloomkit.cli.examine;

import io.bloomkit.testkit.keys.KeySource;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A type of keys for a strategy, with its conversions from lines and from generated keys.
 *
 * @param type the class of the keys
 * @param description the required format of a line, for messages
 * @param parser converts a line to a key
 * @param generator generates keys of a kind from a seed
 */
record KeyForm<T>(Class<T> type, String description, Parser<T> parser, Generator<T> generator) {

  static final KeyForm<String> TEXT =
      new KeyForm<>(String.class, "text in UTF-8", KeyForm::text, KeySource::texts);

  static final KeyForm<byte[]> BYTES =
      new KeyForm<>(byte[].class, "bytes", KeyForm::copy, KeySource::bytes);

  static final KeyForm<Long> LONG =
      new KeyForm<>(
          Long.class,
          "a whole number of 64 bits",
          (bytes, from, to) -> Long.valueOf(text(bytes, from, to)),
          KeySource::longs);

  static final KeyForm<Integer> INT =
      new KeyForm<>(
          Integer.class,
          "a whole number of 32 bits",
          (bytes, from, to) -> Integer.valueOf(text(bytes, from, to)),
          (source, seed) -> source.fromLongs(seed, KeyForm::toInt));

  static final KeyForm<UUID> IDENTIFIER =
      new KeyForm<>(UUID.class, "a UUID", KeyForm::uuid, KeySource::uuids);

  /** All forms in the order of preference, for a strategy that accepts several. */
  private static final List<KeyForm<?>> ALL = List.of(TEXT, BYTES, LONG, INT, IDENTIFIER);

  /**
   * The only accepted format. {@link UUID#fromString} also accepts shorter texts, several of which
   * denote one UUID.
   */
  private static final Pattern UUID_TEXT =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  /** Converts the bytes of a line to a key. */
  @FunctionalInterface
  interface Parser<T> {

    /**
     * Returns the key.
     *
     * @throws CharacterCodingException if the bytes are not valid UTF-8
     * @throws IllegalArgumentException if the line does not represent a key
     */
    T parse(byte[] bytes, int from, int to) throws CharacterCodingException;
  }

  /** Generates keys of a kind from a seed. */
  @FunctionalInterface
  interface Generator<T> {
    LongFunction<T> keys(KeySource source, long seed);
  }

  /**
   * Returns the sum of both 32-bit halves, since the numbers of a kind may differ in the upper half
   * only.
   */
  private static int toInt(long number) {
    return (int) (number + (number >>> Integer.SIZE));
  }

  /**
   * Returns the form of the keys that a strategy over this type accepts, or null if there is none.
   */
  static @Nullable KeyForm<?> of(@Nullable Type elementType) {
    return ALL.stream()
        .filter(form -> elementType instanceof Class<?> c && c.isAssignableFrom(form.type))
        .findFirst()
        .orElse(null);
  }

  /**
   * Generates keys.
   *
   * @throws IllegalArgumentException if keys of the kind do not have this form
   */
  LongFunction<T> keys(KeySource source, long seed) {
    if (Number.class.isAssignableFrom(type) && !source.isNumeric()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--generate %s does not suit this strategy, which hashes %s: %s are not numbers",
              source.label(),
              type.getSimpleName(),
              source.label()));
    }
    return generator.keys(source, seed);
  }

  /**
   * Converts a line to a key.
   *
   * @param where the name of the line in messages
   * @throws IllegalArgumentException if the line does not represent a key
   */
  T parse(byte[] bytes, int from, int to, String where) {
    try {
      return parser.parse(bytes, from, to);
    } catch (CharacterCodingException | IllegalArgumentException e) {
      int shown = Math.min(to, from + 80);
      String line = new String(bytes, from, shown - from, StandardCharsets.UTF_8);
      throw new IllegalArgumentException(
          where + " must be " + description + ", got '" + line + (shown < to ? "…'" : "'"), e);
    }
  }

  private static String text(byte[] bytes, int from, int to) throws CharacterCodingException {
    // A new decoder throws for invalid UTF-8; String would replace it.
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(bytes, from, to - from))
        .toString();
  }

  private static byte[] copy(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  private static UUID uuid(byte[] bytes, int from, int to) throws CharacterCodingException {
    String text = text(bytes, from, to);
    if (!UUID_TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException(text);
    }
    return UUID.fromString(text);
  }
}
