package io.bloomkit.cli.io;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what separates the fields of a line: a text, matches of a regular expression, or what the
 * first line decides. After {@link #begin}, {@link #find} finds one separator after another. Not
 * thread-safe.
 */
final class FieldSeparator {

  private static final byte[] UNDECIDED = {};
  private static final byte[] TAB = {'\t'};

  /** Runs of spaces. Those around the line belong to no field. */
  private static final byte[] BLANKS = {' '};

  private final @Nullable Expression expression;
  private final boolean isGiven;
  private byte[] text;
  private byte[] joiner;

  private byte[] line = {};
  private int lineStart;
  private int lineEnd;
  private int start;
  private int end;

  private FieldSeparator(@Nullable String expression, byte[] text, byte[] joiner, boolean isGiven) {
    this.expression = expression == null ? null : new Expression(expression);
    this.text = text;
    this.joiner = joiner;
    this.isGiven = isGiven;
  }

  /**
   * Returns a separator as given on the command line.
   *
   * @param given a text, in which {@code \t} is a tab, or a regular expression between slashes
   * @param terminator the byte that ends a line, which no field contains
   * @throws IllegalArgumentException if it is empty, or if the expression is invalid, matches the
   *     empty text or has characters beyond ASCII
   */
  static FieldSeparator of(String given, byte terminator) {
    byte[] lineEndAsJoiner = {terminator};
    if (given.length() > 2 && given.startsWith("/") && given.endsWith("/")) {
      return new FieldSeparator(given, UNDECIDED, lineEndAsJoiner, true);
    }
    if (given.isEmpty()) {
      throw new IllegalArgumentException("--separator must have at least one character, got ''");
    }
    String text = given.replace("\\t", "\t");
    // A text such as :: could begin in a field and end in the joiner after it.
    boolean overlapsItself =
        IntStream.range(1, text.length()).anyMatch(i -> text.startsWith(text.substring(i)));
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new FieldSeparator(null, bytes, overlapsItself ? lineEndAsJoiner : bytes, true);
  }

  /**
   * Returns tabs if the first line that is not blank contains one, and runs of spaces otherwise.
   */
  static FieldSeparator ofFirstLine() {
    return new FieldSeparator(null, UNDECIDED, UNDECIDED, false);
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
    return isGiven || text == TAB || beginByTabOrBlanks();
  }

  private boolean beginByTabOrBlanks() {
    if (indexOf(TAB, lineStart) >= 0) {
      if (text == BLANKS) {
        throw new IllegalArgumentException(
            "has a tab, but those before it have none, so blanks separate fields;"
                + " give -t '\\t' or -t '/[ \\t]+/'");
      }
      decide(TAB);
      return true;
    }
    while (lineStart < lineEnd && line[lineStart] == ' ') {
      lineStart++;
    }
    while (lineEnd > lineStart && line[lineEnd - 1] == ' ') {
      lineEnd--;
    }
    if (lineStart < lineEnd) { // an empty line decides nothing
      decide(BLANKS);
    }
    return lineStart < lineEnd;
  }

  private void decide(byte[] separator) {
    text = separator;
    joiner = separator;
  }

  /**
   * Finds the first separator at or after an index; returns false if there is none.
   *
   * @throws IllegalArgumentException as {@link #begin} does
   */
  boolean find(int from) {
    if (expression != null) {
      return expression.find(from);
    }
    int first = indexOf(text, from);
    int last = first + text.length;
    while (text == BLANKS && last < lineEnd && line[last] == ' ') {
      last++;
    }
    return first >= 0 && found(first, last);
  }

  private boolean found(int from, int to) {
    start = from;
    end = to;
    return true;
  }

  /** Returns the index of the first occurrence of some bytes in the line, or -1. */
  private int indexOf(byte[] bytes, int from) {
    for (int i = from; i <= lineEnd - bytes.length; i++) {
      if (line[i] == bytes[0] && matchesAt(bytes, i)) {
        return i;
      }
    }
    return -1;
  }

  private boolean matchesAt(byte[] bytes, int index) {
    for (int i = 1; i < bytes.length; i++) {
      if (line[index + i] != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the text that joins several fields, so that different fields are joined differently.
   */
  byte[] joiner() {
    return joiner;
  }

  /**
   * Returns what the first line decided, as a part of a message, or an empty text if the separator
   * was given or no line was passed.
   */
  String note() {
    if (isGiven || text == UNDECIDED) {
      return "";
    }
    return (text == TAB ? "tabs" : "blanks") + " separate fields, see -t";
  }

  /** Returns the index of the first byte of the first field. */
  int lineStart() {
    return lineStart;
  }

  /** Returns the index after the last byte of the last field. */
  int lineEnd() {
    return lineEnd;
  }

  /** Returns the index of the first byte of the separator found last. */
  int start() {
    return start;
  }

  /** Returns the index after the last byte of the separator found last. */
  int end() {
    return end;
  }

  /**
   * A regular expression, and the line as it sees it: each byte is a character, whatever its
   * encoding.
   */
  private final class Expression implements CharSequence {

    private final String given;
    private final Matcher matcher;

    Expression(String given) {
      this.given = given;
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

    boolean find(int from) {
      try {
        boolean isFound = matcher.find(from - lineStart);
        while (isFound && matcher.end() == matcher.start()) {
          isFound = matcher.find();
        }
        return isFound && found(lineStart + matcher.start(), lineStart + matcher.end());
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
    public int length() {
      return lineEnd - lineStart;
    }

    @Override
    public char charAt(int index) {
      return (char) (line[lineStart + index] & 0xff);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
      return new StringBuilder().append(this, from, to);
    }
  }
}
