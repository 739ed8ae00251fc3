package io.bloomkit.cli.io;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;

/**
 * Finds what separates the fields of a line: a text, matches of a regular expression, or what the
 * first line decides. After {@link #begin}, {@link #find} finds one separator after another. Not
 * thread-safe.
 */
abstract sealed class FieldSeparator {

  private byte[] line = {};
  private int lineStart;
  private int lineEnd;
  private int start;
  private int end;

  private FieldSeparator() {}

  /**
   * Returns a separator as given on the command line.
   *
   * @param given a text, in which {@code \t} is a tab, or a regular expression between slashes
   * @param terminator the byte that ends a line, which no field contains
   * @throws IllegalArgumentException if it is empty, or if the expression is invalid, matches the
   *     empty text or has characters beyond ASCII
   */
  static FieldSeparator of(String given, byte terminator) {
    if (given.length() > 2 && given.startsWith("/") && given.endsWith("/")) {
      return new Matching(given, terminator);
    }
    if (given.isEmpty()) {
      throw new IllegalArgumentException("--separator must have at least one character, got ''");
    }
    return new Text(given.replace("\\t", "\t"), terminator);
  }

  /**
   * Returns tabs if the first line that is not blank contains one, and runs of spaces otherwise.
   */
  static FieldSeparator ofFirstLine() {
    return new OfFirstLine();
  }

  /**
   * Begins a line. Returns false if the line has no field at all.
   *
   * @throws IllegalArgumentException if the line cannot be split; the message lacks its subject,
   *     the line
   */
  boolean begin(byte[] bytes, int from, int to) {
    line = bytes;
    lineStart = from;
    lineEnd = to;
    return true;
  }

  /**
   * Finds the first separator at or after an index; returns false if there is none.
   *
   * @throws IllegalArgumentException as {@link #begin} does
   */
  abstract boolean find(int from);

  /**
   * Returns the text that joins several fields, so that different fields are joined differently.
   */
  abstract byte[] joint();

  /**
   * Returns what the first line decided, as a part of a message, or an empty text if the separator
   * was given or no line was passed.
   */
  String note() {
    return "";
  }

  /** Returns the index of the first byte of the first field. */
  final int lineStart() {
    return lineStart;
  }

  /** Returns the index after the last byte of the last field. */
  final int lineEnd() {
    return lineEnd;
  }

  /** Returns the index of the first byte of the separator found last. */
  final int start() {
    return start;
  }

  /** Returns the index after the last byte of the separator found last. */
  final int end() {
    return end;
  }

  final boolean found(int from, int to) {
    start = from;
    end = to;
    return true;
  }

  final byte at(int index) {
    return line[index];
  }

  private static final class Text extends FieldSeparator {

    private final byte[] text;
    private final byte[] joint;

    Text(String text, byte terminator) {
      this.text = text.getBytes(StandardCharsets.UTF_8);
      this.joint = overlapsItself(text) ? new byte[] {terminator} : this.text;
    }

    /** Returns whether a text such as :: could begin in a field and end in the joint after it. */
    private static boolean overlapsItself(String text) {
      return IntStream.range(1, text.length()).anyMatch(i -> text.startsWith(text.substring(i)));
    }

    @Override
    boolean find(int from) {
      byte first = text[0];
      for (int i = from; i <= lineEnd() - text.length; i++) {
        if (at(i) == first && standsAt(i)) {
          return found(i, i + text.length);
        }
      }
      return false;
    }

    private boolean standsAt(int index) {
      for (int i = 1; i < text.length; i++) {
        if (at(index + i) != text[i]) {
          return false;
        }
      }
      return true;
    }

    @Override
    byte[] joint() {
      return joint;
    }
  }

  /** Matches of a regular expression. Each byte of a line is a character, whatever its encoding. */
  private static final class Matching extends FieldSeparator implements CharSequence {

    private final String given;
    private final byte terminator;
    private final Matcher matcher;

    Matching(String given, byte terminator) {
      this.given = given;
      this.terminator = terminator;
      Pattern pattern;
      try {
        pattern = Pattern.compile(given.substring(1, given.length() - 1), Pattern.UNIX_LINES);
      } catch (PatternSyntaxException e) {
        throw new IllegalArgumentException(
            "--separator " + given + " is no regular expression: " + e.getDescription(), e);
      }
      if (!StandardCharsets.US_ASCII.newEncoder().canEncode(given)) {
        throw new IllegalArgumentException(
            "--separator "
                + given
                + " has characters beyond ASCII, and a regular expression is matched with bytes");
      }
      if (pattern.matcher("").find()) {
        throw new IllegalArgumentException(
            "--separator " + given + " also matches an empty text; take + instead of *");
      }
      matcher = pattern.matcher(this);
    }

    @Override
    boolean find(int from) {
      try {
        boolean isFound = matcher.find(from - lineStart());
        while (isFound && matcher.end() == matcher.start()) {
          isFound = matcher.find();
        }
        return isFound && found(lineStart() + matcher.start(), lineStart() + matcher.end());
      } catch (StackOverflowError e) { // a repeated group calls itself for each repetition
        throw new IllegalArgumentException(
            "is too long for --separator "
                + given
                + " with "
                + length()
                + " bytes; take an expression that repeats no group",
            e);
      }
    }

    @Override
    byte[] joint() {
      return new byte[] {terminator};
    }

    @Override
    public int length() {
      return lineEnd() - lineStart();
    }

    @Override
    public char charAt(int index) {
      return (char) (at(lineStart() + index) & 0xff);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
      return new StringBuilder().append(this, from, to);
    }
  }

  /** Runs of spaces. Those around the line belong to no field. */
  private static final class Blanks extends FieldSeparator {

    @Override
    boolean begin(byte[] bytes, int from, int to) {
      int first = from;
      int last = to;
      while (first < last && bytes[first] == ' ') {
        first++;
      }
      while (last > first && bytes[last - 1] == ' ') {
        last--;
      }
      super.begin(bytes, first, last);
      return first < last;
    }

    @Override
    boolean find(int from) {
      int first = from;
      while (first < lineEnd() && at(first) != ' ') {
        first++;
      }
      int last = first;
      while (last < lineEnd() && at(last) == ' ') {
        last++;
      }
      return last > first && found(first, last);
    }

    @Override
    byte[] joint() {
      return new byte[] {' '};
    }

    @Override
    String note() {
      return "blanks separate fields, see -t";
    }
  }

  private static final class OfFirstLine extends FieldSeparator {

    private final FieldSeparator tab = new Text("\t", (byte) '\n');
    private final FieldSeparator blanks = new Blanks();
    private FieldSeparator decided = this;

    @Override
    boolean begin(byte[] bytes, int from, int to) {
      if (decided != tab) {
        tab.begin(bytes, from, to);
        boolean hasTab = tab.find(from);
        if (hasTab && decided == blanks) {
          throw new IllegalArgumentException(
              "has a tab, but those before it have none, so blanks separate fields;"
                  + " give -t '\\t' or -t '/[ \\t]+/'");
        }
        if (!hasTab && !blanks.begin(bytes, from, to)) {
          return false; // an empty line decides nothing
        }
        decided = hasTab ? tab : blanks;
      }
      boolean hasFields = decided.begin(bytes, from, to);
      super.begin(bytes, decided.lineStart(), decided.lineEnd());
      return hasFields;
    }

    @Override
    boolean find(int from) {
      return decided.find(from) && found(decided.start(), decided.end());
    }

    @Override
    byte[] joint() {
      return decided.joint();
    }

    @Override
    String note() {
      return decided == tab
          ? "tabs separate fields, see -t"
          : decided == blanks ? decided.note() : "";
    }
  }
}
