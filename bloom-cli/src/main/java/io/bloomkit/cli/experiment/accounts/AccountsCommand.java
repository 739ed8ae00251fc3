package io.bloomkit.cli.experiment.accounts;

import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.text.Arguments;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the experiment of a phone that downloads a set of accounts. */
@Command(
    name = "accounts",
    description = {
      "Measures the download by which a phone knows a set of accounts, and how often it is wrong.",
      "",
      "Puts account numbers into filters at 1 %% and at 0.1 %% and compares the bytes that are"
          + " shipped with those of the article that proposed it; then as many random texts of 24"
          + " letters at 14.4 bits each. Each filter is queried for all that it holds, where a"
          + " false negative stops the run, and for as many absent elements.",
      "",
      "Then accounts are closed and as many others opened in a counting filter, and the delta"
          + " between its classic views before and after is compared with the whole filter and"
          + " with the entropy of the change. It must lead from the one to the other."
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
      description = "The number of accounts, and of texts (default: ${DEFAULT-VALUE}).")
  private long items;

  @Option(
      names = "--changes",
      paramLabel = "C",
      defaultValue = "1000",
      converter = Arguments.WholeNumber.class,
      description =
          "The number of accounts that are closed, and as many opened, for the delta (default:"
              + " ${DEFAULT-VALUE}).")
  private long changes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      converter = Arguments.WholeNumber.class,
      description =
          "What accounts and texts follow from: the same seed gives the same figures (default:"
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
