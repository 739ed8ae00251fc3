package io.bloomkit.cli;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The blocks of a document of the project. */
final class Markdown {

  private static final Pattern IMPORTS = Pattern.compile("(?m)^import \\S+;\n+");

  private final String name;
  private final String text;

  /**
   * Reads a document.
   *
   * @param name its path from the top folder
   */
  Markdown(String name) throws IOException {
    this(name, Files.readString(Path.of("..").resolve(name)));
  }

  private Markdown(String name, String text) {
    this.name = name;
    this.text = text;
  }

  /** Returns the part of the document under a heading of the second level. */
  Markdown section(String heading) {
    Matcher section =
        Pattern.compile("(?ms)^## " + Pattern.quote(heading) + "\n(.*?)(?=^## |\\z)").matcher(text);
    assertTrue(section.find(), () -> name + " has no section " + heading);
    return new Markdown(name, section.group(1));
  }

  String text() {
    return text;
  }

  /** Returns the imports that the Java blocks show, a line each. */
  String imports() {
    return IMPORTS.matcher(text).results().map(MatchResult::group).collect(joining());
  }

  /** Returns the blocks of a language as they stand there, but without {@link #imports}. */
  List<String> blocks(String language) {
    return Pattern.compile("(?s)^```" + language + "\n(.*?)^```", Pattern.MULTILINE)
        .matcher(text)
        .results()
        .map((MatchResult block) -> IMPORTS.matcher(block.group(1)).replaceAll(""))
        .toList();
  }
}
