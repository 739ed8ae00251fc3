package io.bloomkit.cli.filter;

import io.bloomkit.cli.text.Figures;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes one filter of several. */
@Command(
    name = "merge",
    description = {
      "Writes a filter that holds all that several filters hold.",
      "",
      "They must be of one kind, strategy and size: built with the same --kind, --strategy,"
          + " --items and --fpp. A guava file goes with bloomkit-guava ones too; the first file says"
          + " which of the two is written, and is to be of bloomkit-guava if that is of --strategy"
          + " utf8. Counting filters add up how often each line was added."
          + " Cuckoo, scalable and aging filters cannot be merged."
    })
public final class MergeCommand implements Runnable {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      arity = "2..*",
      paramLabel = "FILTER",
      description = "The files of the filters, two or more.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<Path> files;

  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public void run() {
    output.check();
    LineFilter filter = FilterFile.open(files.get(0));
    for (Path other : files.subList(1, files.size())) {
      FilterFile.merge(filter, other);
    }
    output.write(filter::writeTo);
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        "%s: %s, made of %d filters; error now %s%n",
        output.file(), filter.kind(), files.size(), Figures.percent(filter.expectedFpp()));
    err.flush();
  }
}
