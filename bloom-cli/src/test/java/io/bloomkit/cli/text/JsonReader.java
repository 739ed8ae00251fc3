package io.bloomkit.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON by the grammar of RFC 8259, strictly: objects as maps, arrays as lists, numbers as
 * doubles.
 */
public final class JsonReader {

  private static final Pattern TOKEN =
      Pattern.compile(
          "[ \\t\\n\\r]*(?:([{}\\[\\],:])|(\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]"
              + "|\\\\u[0-9a-fA-F]{4})*\")|(-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"
              + "|(true|false|null))[ \\t\\n\\r]*");

  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(....)|(.))");

  private final Matcher matcher;
  private int place;

  private JsonReader(String json) {
    matcher = TOKEN.matcher(json);
  }

  /** Returns the object that a text is. */
  @SuppressWarnings("unchecked") // names are texts
  public static Map<String, @Nullable Object> object(String json) {
    JsonReader reader = new JsonReader(json);
    Object value = reader.value(reader.token());
    assertEquals(json.length(), reader.place, () -> "more follows: " + json);
    return (Map<String, @Nullable Object>) Objects.requireNonNull(value);
  }

  private String token() {
    matcher.region(place, matcher.regionEnd());
    assertTrue(matcher.lookingAt(), () -> "no JSON from character " + place + " on");
    place = matcher.end();
    return matcher.group().strip();
  }

  private @Nullable Object value(String token) {
    return switch (token.charAt(0)) {
      case '{' -> members();
      case '[' -> items();
      case '"' -> text(token);
      case 't', 'f' -> Boolean.valueOf(token);
      case 'n' -> null;
      default -> Double.valueOf(token);
    };
  }

  private Map<String, @Nullable Object> members() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    String token = token();
    while (!token.equals("}")) {
      assertTrue(token.startsWith("\""), token);
      String name = text(token);
      assertEquals(":", token());
      assertNull(members.put(name, value(token())), () -> "twice " + name);
      token = next("}");
    }
    return members;
  }

  private List<@Nullable Object> items() {
    List<@Nullable Object> items = new ArrayList<>();
    String token = token();
    while (!token.equals("]")) {
      items.add(value(token));
      token = next("]");
    }
    return items;
  }

  /** What follows a comma, or the end. */
  private String next(String end) {
    String token = token();
    if (token.equals(end)) {
      return token;
    }
    assertEquals(",", token);
    String next = token();
    assertTrue(!next.equals(end), "a comma before the end");
    return next;
  }

  private static String text(String token) {
    return ESCAPE
        .matcher(token.substring(1, token.length() - 1))
        .replaceAll(
            escape ->
                Matcher.quoteReplacement(
                    escape.group(1) != null
                        ? String.valueOf((char) Integer.parseInt(escape.group(1), 16))
                        : switch (escape.group(2).charAt(0)) {
                          case 'b' -> "\b";
                          case 'f' -> "\f";
                          case 'n' -> "\n";
                          case 'r' -> "\r";
                          case 't' -> "\t";
                          default -> escape.group(2);
                        }));
  }
}
