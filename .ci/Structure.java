import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Counts the structure from the tree: {@code java .ci/Structure.java}, in the top folder.
 *
 * <p>{@code --check} also fails if a limit is exceeded or the list of public types in
 * docs/architecture.md is out of date; {@code --write} makes that list anew.
 */
final class Structure {

  private static final List<String> FILTER_MODULES =
      List.of("bloom-api", "bloom-classic", "bloom-counting", "bloom-scalable");

  private static final List<String> FILTERS =
      List.of(
          "ClassicBloomFilter",
          "BlockedBloomFilter",
          "CountingBloomFilter",
          "BlockedCountingBloomFilter",
          "CuckooFilter",
          "ScalableBloomFilter",
          "AgingBloomFilter");

  private static final int MOST_FILES = 26;
  private static final int MOST_LINES = 400;
  private static final int MOST_BUILDER_LINES = 1_100;

  /** Public types that other modules implement or call are no part of the API here. */
  private static final Pattern HIDDEN = Pattern.compile("io\\.bloomkit\\.(internal(\\.\\w+)?|\\w+\\.(provider|foreign))");

  private static final Pattern TYPE =
      Pattern.compile(
          "^public (?:(?:abstract|final|sealed|non-sealed) )*(class|interface|record|enum) (\\w+)",
          Pattern.MULTILINE);

  private static final Path ARCHITECTURE = Path.of("docs", "architecture.md");
  private static final String BEGIN = "<!-- public types, made by .ci/Structure.java -->";
  private static final String END = "<!-- /public types -->";

  private final List<Source> sources;
  private final List<String> faults = new ArrayList<>();

  private Structure(List<Source> sources) {
    this.sources = sources;
  }

  private record Source(String module, Path path, String text) {

    String folder() {
      return path.getParent().toString();
    }

    String name() {
      return path.getFileName().toString().replace(".java", "");
    }

    String packageName() {
      Matcher matcher = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE).matcher(text);
      return matcher.find() ? matcher.group(1) : "";
    }

    long lines() {
      return text.lines().count();
    }
  }

  public static void main(String[] args) throws IOException {
    List<Source> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of("."))) {
      for (Path module : modules.map(Path::normalize).sorted().toList()) {
        Path main = module.resolve("src/main/java");
        if (Files.isDirectory(main)) {
          try (Stream<Path> files = Files.walk(main)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
              sources.add(new Source(module.toString(), file, Files.readString(file)));
            }
          }
        }
      }
    }
    Structure structure = new Structure(sources);
    structure.countFiles();
    structure.countClasses();
    structure.countKinds();
    structure.countBuilders();
    structure.checkInternals();
    structure.countLines();
    String types = structure.publicTypes();
    String page = Files.readString(ARCHITECTURE);
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalStateException(ARCHITECTURE + " must have the marks " + BEGIN + " and " + END);
    }
    String current = page.substring(0, begin + BEGIN.length()) + "\n\n" + types + page.substring(end);
    List<String> options = List.of(args);
    if (options.contains("--write")) {
      Files.writeString(ARCHITECTURE, current);
    } else if (!current.equals(page)) {
      structure.faults.add(
          ARCHITECTURE + " is out of date: run java .ci/Structure.java --write");
    }
    structure.faults.forEach(fault -> System.out.println("FAULT " + fault));
    if (options.contains("--check") && !structure.faults.isEmpty()) {
      System.exit(1);
    }
  }

  private void fault(boolean isFault, String text) {
    if (isFault) {
      faults.add(text);
    }
  }

  private void countFiles() {
    Map<String, Integer> files = new TreeMap<>();
    sources.forEach(source -> files.merge(source.folder(), 1, Integer::sum));
    System.out.println("Files by folder of main sources (at most " + MOST_FILES + "):");
    files.forEach(
        (folder, count) -> {
          System.out.printf("%6d  %s%n", count, folder);
          fault(count > MOST_FILES, folder + " has " + count + " files");
        });
  }

  private void countClasses() {
    System.out.println("Longest files of the filter modules (at most " + MOST_LINES + " lines):");
    sources.stream()
        .filter(source -> FILTER_MODULES.contains(source.module))
        .sorted(Comparator.comparingLong(Source::lines).reversed())
        .limit(5)
        .forEach(source -> System.out.printf("%6d  %s%n", source.lines(), source.path));
    sources.stream()
        .filter(source -> FILTER_MODULES.contains(source.module) && source.lines() > MOST_LINES)
        .forEach(source -> fault(true, source.path + " has " + source.lines() + " lines"));
  }

  /** A file that names nearly all filters in its code spells the list of kinds. */
  private void countKinds() {
    System.out.println("Files that name six or more of the eight kinds (at most 1):");
    List<Source> lists =
        sources.stream()
            .filter(source -> !source.module.equals("bloom-bench")) // its subjects are measured forms
            .filter(
                source -> {
                  String code = withoutComments(source.text);
                  return FILTERS.stream()
                          .filter(f -> Pattern.compile("\\b" + f + "\\b").matcher(code).find())
                          .count()
                      >= 6;
                })
            .toList();
    lists.forEach(source -> System.out.println("        " + source.path));
    fault(lists.size() > 1, lists.size() + " files spell the list of kinds");
  }

  private void countBuilders() {
    long all = 0;
    System.out.println("Lines of readers and builders (at most " + MOST_BUILDER_LINES + "):");
    for (Source source : sources) {
      if (!FILTER_MODULES.contains(source.module) || source.module.equals("bloom-api")) {
        continue;
      }
      long lines = 0;
      if (source.name().endsWith("Builder")) {
        lines = source.lines();
      } else if (FILTERS.contains(source.name())) {
        lines =
            region(source.text, "  public static final class Builder<")
                + region(
                    source.text,
                    "  public static <\\w+> [\\w.<>? ]+\\s+(?:create|builder|readFrom|fromBytes|openMapped)\\(");
      }
      if (lines > 0) {
        System.out.printf("%6d  %s%n", lines, source.path);
      }
      all += lines;
    }
    System.out.printf("%6d  in all%n", all);
    fault(all > MOST_BUILDER_LINES, "readers and builders have " + all + " lines");
  }

  /** The lines of members that begin so, with their Javadoc, up to the closing brace. */
  private static long region(String text, String begin) {
    List<String> lines = text.lines().toList();
    Matcher matcher = Pattern.compile("^" + begin, Pattern.MULTILINE).matcher(text);
    long count = 0;
    while (matcher.find()) {
      int at = (int) text.substring(0, matcher.start()).lines().count();
      int from = at;
      while (from > 0 && !lines.get(from - 1).isBlank() && !lines.get(from - 1).equals("  }")) {
        from--;
      }
      int to = at;
      while (!lines.get(to).equals("  }")) {
        to++;
      }
      count += to - from + 1;
    }
    return count;
  }

  private void checkInternals() {
    for (Source source : sources) {
      if (!FILTER_MODULES.contains(source.module)) {
        fault(
            source.text.contains("io.bloomkit.internal"),
            source.path + " uses io.bloomkit.internal");
      }
    }
  }

  private void countLines() {
    Map<String, Long> lines = new TreeMap<>();
    sources.forEach(source -> lines.merge(source.module, source.lines(), Long::sum));
    System.out.println("Lines of main code by module:");
    lines.forEach((module, count) -> System.out.printf("%6d  %s%n", count, module));
  }

  /** The public types of published modules, each with the first sentence of its Javadoc. */
  private String publicTypes() {
    Map<String, List<String>> byPackage = new TreeMap<>();
    for (Source source : sources) {
      String name = source.packageName();
      if (List.of("bloom-bench", "bloom-stress", "bloom-cli", "bloom-examples").contains(source.module)
          || name.isEmpty()
          || HIDDEN.matcher(name).matches()) {
        continue;
      }
      Matcher matcher = TYPE.matcher(source.text);
      if (matcher.find()) {
        byPackage
            .computeIfAbsent(name, n -> new ArrayList<>())
            .add("| `" + matcher.group(2) + "` | " + summary(source.text, matcher.start()) + " |\n");
      }
    }
    StringBuilder page = new StringBuilder();
    byPackage.forEach(
        (name, types) -> {
          page.append("### `").append(name).append("`\n\n| type | purpose |\n|---|---|\n");
          types.forEach(page::append);
          page.append('\n');
        });
    System.out.println("Public types by package:");
    byPackage.forEach((name, types) -> System.out.printf("%6d  %s%n", types.size(), name));
    return page.toString();
  }

  private static String summary(String text, int type) {
    int begin = text.lastIndexOf("/**", type);
    int end = text.indexOf("*/", begin);
    if (begin < 0) {
      return "";
    }
    String doc =
        text.substring(begin + 3, end)
            .replaceAll("\\n\\s*\\* ?", " ")
            .replaceAll("\\{@linkplain\\s+\\S+\\s+([^}]*)}", "$1")
            .replaceAll("\\{@\\w+\\s+(?:[\\w.]*#)?([^}]*)}", "$1")
            .replaceAll("<[^>]+>", " ")
            .replaceAll("\\s+", " ")
            .replace("|", "\\|")
            .strip();
    Matcher sentence = Pattern.compile("^.*?(?<!e\\.g|i\\.e|et al|[A-Z])[.:](?= |$)").matcher(doc);
    return sentence.find() ? sentence.group().replaceAll("[:.]$", ".") : doc;
  }

  private static String withoutComments(String text) {
    return text.replaceAll("(?s)/\\*.*?\\*/", "")
        .replaceAll("//[^\\n]*", "")
        .replaceAll("(?m)^import .*$", "");
  }
}
