package io.bloomkit.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads flat objects and arrays of them by the grammar of RFC 8259, strictly. */
public final class FlatJson {

  private static final String SPACE = "[ \\t\\n\\r]*";
  private static final String TEXT =
      "\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*\"";
  private static final String NUMBER = "-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?";
  private static final String MEMBER =
      "(" + TEXT + ")" + SPACE + ":" + SPACE + "(" + TEXT + "|" + NUMBER + "|true|false|null)";
  private static final Pattern MEMBERS = Pattern.compile(MEMBER);
  private static final Pattern OBJECTS = Pattern.compile("\\{" + list(MEMBER) + "\\}");
  private static final Pattern ARRAY =
      Pattern.compile(SPACE + "\\[" + list(OBJECTS.pattern()) + "\\]" + SPACE);

  private FlatJson() {}

  private static String list(String item) {
    return SPACE + "(?:" + item + "(?:" + SPACE + "," + SPACE + item + ")*+)?" + SPACE;
  }

  /** Returns the members of an object; values as they are written. */
  public static Map<String, String> object(String json) {
    List<Map<String, String>> objects = parse("[" + json + "]");
    assertEquals(1, objects.size(), json);
    return objects.get(0);
  }

  /** Returns the objects of an array; values as they are written. */
  public static List<Map<String, String>> parse(String json) {
    assertTrue(ARRAY.matcher(json).matches(), () -> "no flat JSON: " + json);
    List<Map<String, String>> objects = new ArrayList<>();
    Matcher object = OBJECTS.matcher(json);
    while (object.find()) {
      Map<String, String> members = new LinkedHashMap<>();
      Matcher member = MEMBERS.matcher(object.group());
      while (member.find()) {
        String name = member.group(1);
        members.put(name.substring(1, name.length() - 1), member.group(2));
      }
      objects.add(members);
    }
    return objects;
  }
}
