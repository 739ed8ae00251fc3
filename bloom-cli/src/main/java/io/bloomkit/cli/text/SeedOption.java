package io.bloomkit.cli.text;

import picocli.CommandLine.Option;

/** The option for the seed of a command that chooses at random. */
public final class SeedOption {

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      converter = Arguments.WholeNumber.class,
      description =
          "The seed of all random choices: the same seed gives the same results, except for times"
              + " (default: ${DEFAULT-VALUE}).")
  private long seed;

  /** Returns the seed. */
  public long value() {
    return seed;
  }
}
