package io.bloomkit.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Writes flat JSON (RFC 8259): an array of objects, each of numbers, texts and truth values. */
final class Json {

  private Json() {}

  /**
   * Returns an array of objects, an object a line, their members in the order of the maps.
   *
   * @throws IllegalArgumentException if a value is a number that JSON does not know, or is neither
   *     number, text nor truth value
   */
  static String array(List<? extends Map<String, ?>> objects) {
    StringJoiner lines = new StringJoiner(",\n  ", "[\n  ", "\n]");
    lines.setEmptyValue("[]");
    for (Map<String, ?> object : objects) {
      lines.add(object(object));
    }
    return lines.toString();
  }

  private static String object(Map<String, ?> members) {
    StringJoiner list = new StringJoiner(", ", "{", "}");
    members.forEach((name, value) -> list.add(text(name) + ": " + value(value)));
    return list.toString();
  }

  private static String value(Object value) {
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
    throw new IllegalArgumentException("no value of flat JSON: " + value.getClass());
  }

  private static String text(CharSequence characters) {
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < characters.length(); i++) {
      char c = characters.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }
}
