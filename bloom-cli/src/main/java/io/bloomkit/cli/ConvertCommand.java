package io.bloomkit.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a filter of another kind from one. */
@Command(
    name = "convert",
    description = {
      "Writes the filter of a file as one of another kind, with the same answers.",
      "",
      "counting becomes classic and blocked-counting becomes blocked: a quarter of the size,"
          + " nothing can be removed any more. No filter knows its elements, so none becomes any"
          + " other kind. That holds for filters of Guava too, whose bits follow from another"
          + " hash: they are checked, added to, merged and inspected as they are."
    })
final class ConvertCommand implements Runnable {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "FILTER", description = "The file of the filter.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "V",
      converter = FilterKind.Converter.class,
      description = "The kind that it becomes: classic, blocked.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private FilterKind kind;

  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public void run() {
    output.check();
    LineFilter filter = FilterFile.open(file);
    LineFilter converted;
    try {
      converted = filter.convert(kind);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    output.write(converted::writeTo);
    PrintWriter err = spec.commandLine().getErr();
    err.printf("%s: %s, made of %s%n", output.file(), kind, filter.kind());
    err.flush();
  }
}
