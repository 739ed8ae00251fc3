package io.bloomkit.cli.chart;

import io.bloomkit.cli.text.Arguments;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a picture of a command's results. */
public final class PlotOption {

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      converter = Arguments.NewFile.class,
      description = "Draws the results as a PNG picture.")
  private @Nullable Path plot;

  @Option(names = "--force", description = "Replaces the file of --plot if it exists.")
  private boolean force;

  /** Returns whether a picture is to be drawn. */
  public boolean isSet() {
    return plot != null;
  }

  /** Checks before a long run that the picture can be written, as {@link PlotFile} does. */
  public void requireWritable() {
    if (plot != null) {
      PlotFile.requireWritable(plot, force);
    }
  }

  /** Writes the picture, if there is to be one, as {@link PlotFile} does. */
  public void write(Supplier<byte[]> picture) {
    if (plot != null) {
      PlotFile.write(plot, picture.get());
    }
  }
}
