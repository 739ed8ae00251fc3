package io.bloomkit.bench;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Turns results into tables and charts. */
@Command(name = "report", description = "Turns results.json into tables and charts.")
final class Report implements Callable<Integer> {
  @Override
  public Integer call() {
    return CommandLine.ExitCode.OK;
  }

  static void write(Path json, Path output) {}
}
