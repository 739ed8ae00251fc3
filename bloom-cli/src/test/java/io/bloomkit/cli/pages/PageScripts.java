package io.bloomkit.cli.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** The scripts of the site's pages, run by GraalJS without a browser. */
public final class PageScripts implements AutoCloseable {

  static final Path PAGES = Path.of("..", "src", "site", "resources");
  public static final Path READER = Path.of("..", "contrib", "bloomkit.mjs");

  private final Context context =
      Context.newBuilder("js")
          .allowExperimentalOptions(true)
          .option("engine.WarnInterpreterOnly", "false")
          .option("js.esm-eval-returns-exports", "true")
          .build();

  /** Loads scripts of the folder {@code js}, in their order. */
  public PageScripts(String... names) throws IOException {
    for (String name : names) {
      context.eval(source(PAGES.resolve("js").resolve(name), "application/javascript"));
    }
  }

  private static Source source(Path file, String type) throws IOException {
    return Source.newBuilder("js", Files.readString(file), String.valueOf(file.getFileName()))
        .mimeType(type)
        .build();
  }

  /** Returns the exports of {@code contrib/bloomkit.mjs}. */
  public Value reader() throws IOException {
    return context.eval(source(READER, "application/javascript+module"));
  }

  /** Calls a function, given as JavaScript. */
  public Value call(String function, Object... arguments) {
    return context.eval("js", "(" + function + ")").execute(arguments);
  }

  /** Calls a function that returns texts. */
  List<String> texts(String function, Object... arguments) {
    return List.of(call(function, arguments).as(String[].class));
  }

  @Override
  public void close() {
    context.close();
  }
}
