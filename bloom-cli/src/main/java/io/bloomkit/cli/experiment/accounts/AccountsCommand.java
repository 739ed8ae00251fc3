package io.bloomkit.cli.experiment.accounts;

import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.text.Arguments;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the experiment in which a phone downloads a set of accounts. */
@Command(
    name = "accounts",
    description = {
      "Measures the size of a set of accounts that a phone downloads as a filter, and the"
          + " false-positive rate of the filter.",
      "",
      "The command adds account numbers to filters at 1 %% and at 0.1 %%, and"
          + " compares the bytes of their files with those in the article that proposed"
          + " this use. It does the same with as many random texts of 24 letters, at 14.4"
          + " bits per text. It queries each filter for all its elements, where a false"
          + " negative stops the run, and for as many absent elements.",
      "",
      "Then some accounts are removed from a counting filter, and the same number of other"
          + " accounts is added. The filter is converted to classic before and after these"
          + " changes. The delta between the two classic filters is compared with the whole"
          + " filter and with the entropy of the change. Applied to the older filter, the"
          + " delta must give the newer one."
    })
public final class AccountsCommand implements Runnable {

  private static final long MOST = 100_000_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--items",
      paramLabel = "N",
      defaultValue = "1000000",
      converter = Arguments.WholeNumber.class,
      description = "The number of accounts and the number of texts (default: ${DEFAULT-VALUE}).")
  private long items;

  @Option(
      names = "--changes",
      paramLabel = "C",
      defaultValue = "1000",
      converter = Arguments.WholeNumber.class,
      description =
          "The number of accounts that are removed for the delta, and also the number that are"
              + " added (default: ${DEFAULT-VALUE}).")
  private long changes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      converter = Arguments.WholeNumber.class,
      description =
          "The seed of accounts and texts: the same seed gives the same figures (default:"
              + " ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--json",
      description =
          "Prints an array of objects: set, elements, bitsPerElement, positions, hashes,"
              + " memoryBytes, fileBytes, articleBytes (null if the article has none),"
              + " falsePositives, queries, measuredFpp, measuredFppLow, measuredFppHigh (of a"
              + " 99.9 %% interval), expectedFpp, articleFalsePositives; and one of set, elements,"
              + " changes, changedPositions, deltaBytes, leastBytes (the entropy), fileBytes.")
  private boolean json;

  @Override
  public void run() {
    Arguments.checkRange("--items", items, 1, MOST);
    Arguments.checkRange("--changes", changes, 1, items);
    CommandLine commandLine = spec.commandLine();
    AccountsExperiment.Results results;
    try (Progress progress = Progress.to(commandLine.getErr())) {
      results = AccountsExperiment.run((int) items, (int) changes, seed, progress);
    }
    commandLine
        .getOut()
        .println(json ? AccountsReport.json(results) : AccountsReport.table(results));
  }
}
