package io.bloomkit.cli.interop;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The path of a column or group in a schema: the names from the root, which has no name, to it.
 * Names may contain dots, so the names joined by dots can be those of several paths. Names in
 * backquotes, as in Spark, are those of one.
 */
final class ColumnPath {

  /** The path of the root of a schema. */
  static final ColumnPath ROOT = new ColumnPath(null, new byte[0]);

  private static final char QUOTE = '`';
  private static final char DOT = '.';

  private final @Nullable ColumnPath parent;
  private final byte[] name;

  private ColumnPath(@Nullable ColumnPath parent, byte[] name) {
    this.parent = parent;
    this.name = name;
  }

  /** Returns the path of a member of this group. */
  ColumnPath child(byte[] childName) {
    return new ColumnPath(this, childName);
  }

  boolean isRoot() {
    return parent == null;
  }

  /** Returns the group that contains this path, which must not be the root. */
  ColumnPath parent() {
    return Objects.requireNonNull(parent);
  }

  /** Returns the names in UTF-8. */
  byte[][] names() {
    int depth = 0;
    for (ColumnPath at = this; at.parent != null; at = at.parent) {
      depth++;
    }
    byte[][] names = new byte[depth][];
    for (ColumnPath at = this; at.parent != null; at = at.parent) {
      names[--depth] = at.name;
    }
    return names;
  }

  private List<String> texts() {
    return Arrays.stream(names()).map(part -> new String(part, StandardCharsets.UTF_8)).toList();
  }

  /** Returns the names in backquotes, which name exactly this path. */
  String quoted() {
    return texts().stream().map(ColumnPath::quoted).collect(Collectors.joining("."));
  }

  private static String quoted(String text) {
    return QUOTE + text.replace("`", "``") + QUOTE;
  }

  /** Returns the names joined by dots; a name with a dot or a backquote is in backquotes. */
  @Override
  public String toString() {
    return texts().stream()
        .map(text -> text.indexOf(DOT) >= 0 || text.indexOf(QUOTE) >= 0 ? quoted(text) : text)
        .collect(Collectors.joining("."));
  }

  /**
   * Returns whether a path has a name that a user wrote: names joined by dots, of which some may be
   * in backquotes. Without backquotes, a dot may separate names or be part of one.
   *
   * @throws IllegalArgumentException if a backquote is not closed
   */
  static Predicate<ColumnPath> named(String text) {
    List<String> parts = new ArrayList<>();
    boolean isExact = false;
    int at = 0;
    while (at <= text.length()) {
      int end;
      if (text.startsWith("`", at)) {
        isExact = true;
        end = endOfQuoted(text, at);
        parts.add(text.substring(at + 1, end - 1).replace("``", "`"));
      } else {
        int dot = text.indexOf(DOT, at);
        end = dot < 0 ? text.length() : dot;
        parts.add(text.substring(at, end));
      }
      at = end + 1;
    }
    return isExact
        ? path -> path.texts().equals(parts)
        : path -> String.join(".", path.texts()).equals(text);
  }

  /** Returns the index after the backquote that closes the one at an index. */
  private static int endOfQuoted(String text, int start) {
    int end = text.indexOf(QUOTE, start + 1) + 1;
    while (end > 0 && text.startsWith("`", end)) { // a doubled backquote is part of the name
      end = text.indexOf(QUOTE, end + 1) + 1;
    }
    if (end == 0 || (end < text.length() && text.charAt(end) != DOT)) {
      throw new IllegalArgumentException(
          "--column "
              + text
              + ": a backquote must enclose a whole name, as in `a.b`.c; write a backquote within"
              + " such a name twice");
    }
    return end;
  }
}
