package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Finds figures in the pages of the project, for the tests that compare them. */
final class PageText {

  private PageText() {}

  static String text(String page) throws IOException {
    return new Markdown(page).text();
  }

  static List<MatchResult> results(String regex, String text) {
    return Pattern.compile(regex).matcher(text).results().toList();
  }

  static MatchResult match(String regex, String text) {
    List<MatchResult> results = results(regex, text);
    assertFalse(results.isEmpty(), () -> "no match of " + regex);
    return results.get(0);
  }

  static double number(String text) {
    return Double.parseDouble(text.replace(",", ""));
  }

  /**
   * The measured value of a goal of the dynamic cuckoo filter; its memory depends on the hashes.
   */
  static double logged(String goal) throws IOException {
    String row = "(?m)^\\| " + Pattern.quote(goal) + " \\|[^|]*\\| ([\\d.]+) \\|";
    return number(match(row, text("docs/laboratory.md")).group(1));
  }
}
