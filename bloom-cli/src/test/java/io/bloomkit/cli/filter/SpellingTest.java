package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import io.bloomkit.testkit.stat.Binomial;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks spelling against the words of WordNet 3.1, which a test dependency brings. */
class SpellingTest {

  private static final String WORDNET = "/net/sf/extjwnl/data/wordnet/wn31/index.";
  private static final int WORDS = 147_478;
  private static final double FPP = 0.001;

  private static final List<String> RIGHT =
      List.of(
          "accommodate",
          "conscience",
          "definitely",
          "embarrass",
          "millennium",
          "necessary",
          "occurrence",
          "receive",
          "rhythm",
          "separate");

  private static final List<String> WRONG =
      List.of(
          "accomodate",
          "concience",
          "definately",
          "embarass",
          "millenium",
          "neccessary",
          "occurence",
          "recieve",
          "rythm",
          "seperate");

  @TempDir private static Path folder;
  private static Set<String> words;
  private static Path filter;

  /** The word is the first field of a line; the lines of the licence begin with a space. */
  @BeforeAll
  static void build() throws IOException {
    words = new TreeSet<>();
    for (String part : List.of("noun", "verb", "adj", "adv")) {
      try (InputStream in =
              Objects.requireNonNull(SpellingTest.class.getResourceAsStream(WORDNET + part));
          BufferedReader lines =
              new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
        lines
            .lines()
            .filter(line -> !line.startsWith(" "))
            .forEach(line -> words.add(line.substring(0, line.indexOf(' '))));
      }
    }
    assertEquals(WORDS, words.size());
    Path list = Files.writeString(folder.resolve("words"), String.join("\n", words) + "\n");
    filter = folder.resolve("words.bloom");
    CommandRun.succeed("", "build", "--kind=classic", list, "--fpp", FPP, "-o", filter);
  }

  @Test
  void misspelledWordsAreFound() {
    assertTrue(words.containsAll(RIGHT));
    assertTrue(WRONG.stream().noneMatch(words::contains));
    String text = String.join("\n", RIGHT) + "\n" + String.join("\r\n", WRONG) + "\n";
    CommandRun check = CommandRun.succeed(text, "check", "-v", "--fields", 1, filter);
    assertEquals(String.join("\r\n", WRONG) + "\n", check.text());
  }

  @Test
  void everyWordIsRightAndOneSlipInAThousandIsOverlooked() {
    assertEquals(1, CommandRun.of(String.join("\n", words), "check", "-v", filter).exitCode());
    Set<String> slips = new TreeSet<>();
    for (String word : words) {
      if (word.length() > 2) {
        int i = Math.floorMod(word.hashCode(), word.length() - 1);
        slips.add(
            word.substring(0, i) + word.charAt(i + 1) + word.charAt(i) + word.substring(i + 2));
      }
    }
    slips.removeAll(words);
    CommandRun check = CommandRun.succeed(String.join("\n", slips), "check", filter, "-c");
    long overlooked = Long.parseLong(check.text().strip());
    // α = 1e-8; a rate of 0.15 % would be found with a probability above 1 − 1e-3: of more than
    // 100,000 slips 150 would be overlooked, 5 standard deviations above the 100 expected.
    assertTrue(slips.size() > 100_000, () -> slips.size() + " slips");
    assertTrue(
        Binomial.confidenceInterval(overlooked, slips.size(), 1 - 1e-8).contains(FPP),
        () -> overlooked + " of " + slips.size());
  }
}
