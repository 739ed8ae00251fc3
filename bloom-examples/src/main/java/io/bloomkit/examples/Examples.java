package io.bloomkit.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs one of the examples: {@code java -jar examples.jar NAME [SIZE]}. */
public final class Examples {

  /** The code of an example. */
  interface Body {

    /**
     * Runs the example.
     *
     * @param size the number of rows, pages or other items to process
     * @param folder an empty folder for files
     * @param report receives the figures
     */
    void run(int size, Path folder, Report report) throws Exception;
  }

  /**
   * An example.
   *
   * @param name the name on the command line
   * @param size the default size
   * @param unit the items that the size counts
   * @param body the code
   */
  record Example(String name, int size, String unit, Body body) {}

  static final List<Example> ALL =
      List.of(
          new Example("database", 1_000_000, "rows", SparedDatabase::run),
          new Example("visitors", 1_000_000, "log lines", UniqueVisitors::run),
          new Example("crawler", 10_000, "pages", CrawlerFrontier::run),
          new Example("senders", 100_000, "addresses", SpamSenders::run),
          new Example("clicks", 10_000_000, "clicks", RepeatedClicks::run),
          new Example("cache", 2_000_000, "requests", CacheAdmission::run),
          new Example("mails", 10_000, "mails", MailRelay::run));

  static final int MIN_SIZE = 1_000;

  private Examples() {}

  /** Runs the example that the first argument names; the optional second argument is the size. */
  public static void main(String[] arguments) throws Exception {
    Optional<Example> example =
        ALL.stream().filter(e -> arguments.length > 0 && e.name.equals(arguments[0])).findFirst();
    Optional<Integer> size =
        arguments.length == 2 ? size(arguments[1]) : example.map(Example::size);
    if (example.isEmpty() || size.isEmpty() || arguments.length > 2) {
      System.err.println(
          "usage: java -jar examples.jar NAME [SIZE], with SIZE at least " + MIN_SIZE);
      ALL.forEach(e -> System.err.printf("  %-10s%,d %s%n", e.name, e.size, e.unit));
      System.exit(2);
    }
    Path folder = Files.createTempDirectory("bloomkit");
    try {
      example.orElseThrow().body.run(size.orElseThrow(), folder, new Report(System.out));
    } finally {
      delete(folder);
    }
  }

  private static Optional<Integer> size(String argument) {
    try {
      return Optional.of(Integer.valueOf(argument)).filter(size -> size >= MIN_SIZE);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
