package io.bloomkit.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The command or option that a word may mean: one of a similar name, or one that others name so.
 */
final class Suggestion {

  private static final int MAX_DISTANCE = 2;

  /** Commands and options of DCSO's {@code bloom}, of Redis ({@code BF.ADD}), and of the shell. */
  private static final Map<String, String> SYNONYMS = new HashMap<>();

  static {
    put("build", "create", "new", "make", "reserve", "init");
    put("add", "insert", "put", "append", "madd");
    put("remove", "delete", "del", "rm");
    put(
        "check",
        "test",
        "exists",
        "mexists",
        "contains",
        "query",
        "lookup",
        "search",
        "find",
        "grep");
    put("merge", "union", "join", "or", "unite");
    put("intersect", "intersection", "and");
    put("subtract", "difference", "minus", "except");
    put("inspect", "show", "info", "print", "describe", "stat", "stats", "card", "verify");
    put("dedup", "uniq", "unique", "distinct");
    put("size", "plan", "calculate", "calculator");
    put("delta", "diff");
    put("apply", "patch");
    put("experiment", "benchmark");
    put("--items", "-n", "--capacity", "--expect", "--expected", "--elements", "--count", "--size");
    put("--fpp", "-p", "-e", "--fpr", "--rate", "--error", "--error-rate", "--probability");
    put("--output", "--out", "--file");
    put("--separator", "-d", "-F", "--delimiter");
    put("--fields", "-k", "--key", "--field", "--column");
    put("--strategy", "--type", "--hash");
    put("--window", "--ttl", "--expire");
  }

  /** The command that must not be suggested for a word that may mean another, such as "move". */
  private static final String DESTRUCTIVE = "remove";

  private Suggestion() {}

  private static void put(String command, String... synonyms) {
    for (String synonym : synonyms) {
      SYNONYMS.put(synonym, command);
    }
  }

  /** Returns the command that a word means, or the one within two changes of letters, if any. */
  static Optional<String> of(String word, Collection<String> commands) {
    String name = word.toLowerCase(Locale.ROOT).replaceFirst("^bf\\.", "");
    String meant = SYNONYMS.getOrDefault(name, name);
    if (commands.contains(meant)) {
      return Optional.of(meant);
    }
    int most = Math.min(MAX_DISTANCE, name.length() / 2); // of a short word, all is similar
    return commands.stream()
        .filter(command -> distance(name, command) <= (command.equals(DESTRUCTIVE) ? 1 : most))
        .min(Comparator.comparingInt(command -> distance(name, command)));
  }

  /** Returns the option that others name so, or the one within two changes of letters, if any. */
  static Optional<String> ofOption(String word, Collection<String> options) {
    String name = word.replaceFirst("=.*", "");
    String meant = SYNONYMS.getOrDefault(name, name);
    return options.contains(meant)
        ? Optional.of(meant)
        : options.stream()
            .filter(option -> option.length() > 4 && distance(name, option) <= MAX_DISTANCE)
            .min(Comparator.comparingInt(option -> distance(name, option)));
  }

  /**
   * Returns the smallest number of letters to insert, remove, replace or swap with their neighbours
   * that makes a word of another.
   */
  private static int distance(String from, String to) {
    int[][] least = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        int replaced = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        least[i][j] =
            Math.min(
                Math.min(least[i - 1][j], least[i][j - 1]) + 1, least[i - 1][j - 1] + replaced);
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
        }
      }
    }
    return least[from.length()][to.length()];
  }
}
