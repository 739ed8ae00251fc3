package io.bloomkit.cli.text;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON (RFC 8259): flat objects of numbers, strings, Booleans and nulls, arrays of flat
 * objects, and objects that contain such arrays.
 */
public final class Json {

  private Json() {}

  /**
   * Returns an array of objects with one object per line and the members in the order of the maps.
   *
   * @throws IllegalArgumentException if a value is not a number, string, Boolean or null, or is an
   *     infinite number or NaN
   */
  public static String array(List<? extends Map<String, ? extends @Nullable Object>> objects) {
    StringJoiner lines = new StringJoiner(",\n  ", "[\n  ", "\n]");
    for (Map<String, ? extends @Nullable Object> object : objects) {
      lines.add(object(object));
    }
    return lines.toString();
  }

  /**
   * Returns an object whose members may also be lists of strings and lists of flat objects. Each
   * member, and each object of a list, is on a line of its own.
   *
   * @throws IllegalArgumentException as {@link #array} does
   */
  public static String document(Map<String, ? extends @Nullable Object> members) {
    StringJoiner lines = new StringJoiner(",\n  ", "{\n  ", "\n}");
    members.forEach((name, value) -> lines.add(text(name) + ": " + member(value)));
    return lines.toString();
  }

  private static String member(@Nullable Object value) {
    if (!(value instanceof List<?> list)) {
      return value(value);
    }
    boolean hasObjects = !list.isEmpty() && list.get(0) instanceof Map;
    StringJoiner items =
        hasObjects
            ? new StringJoiner(",\n    ", "[\n    ", "\n  ]")
            : new StringJoiner(", ", "[", "]");
    for (Object item : list) {
      items.add(item instanceof Map<?, ?> map ? object(map) : value(item));
    }
    return items.toString();
  }

  /**
   * Returns a flat object on one line.
   *
   * @throws IllegalArgumentException as {@link #array} does
   */
  public static String object(Map<?, ? extends @Nullable Object> members) {
    StringJoiner list = new StringJoiner(", ", "{", "}");
    members.forEach((name, value) -> list.add(text(String.valueOf(name)) + ": " + value(value)));
    return list.toString();
  }

  private static String value(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof Double number && !Double.isFinite(number)) {
      throw new IllegalArgumentException("JSON has no number " + number);
    }
    if (value instanceof Integer
        || value instanceof Long
        || value instanceof Double
        || value instanceof Boolean) {
      return value.toString();
    }
    if (value instanceof CharSequence characters) {
      return text(characters);
    }
    throw new IllegalArgumentException("a flat JSON object cannot contain a " + value.getClass());
  }

  /** Returns a string in quotation marks, escaped. */
  public static String text(CharSequence characters) {
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < characters.length(); i++) {
      char c = characters.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (Character.isISOControl(c) || Character.isSurrogate(c)) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }
}
