package io.bloomkit.cli.filter;

import picocli.CommandLine.Option;

/** The option for files that can be mapped however few bits are set. */
final class UncompressedOption {

  @Option(
      names = "--uncompressed",
      description =
          "Writes a classic or blocked filter without compression, so that bloom check --mapped and"
              + " openMapped in Java map it. Without this option, a file is compressed if at most"
              + " about a fifth of its bits is set.")
  private boolean isSet;

  /** Returns whether the option was given. */
  boolean isSet() {
    return isSet;
  }

  /**
   * Checks that a filter of a kind can be written to an output, and mapped if the option was given.
   *
   * @throws IllegalArgumentException if it cannot
   */
  void check(FileKind kind, OutputOption output) {
    if (isSet) {
      output.requireFile("one in a file that can be mapped");
    }
    if (kind.isOfOtherLibrary()) {
      output.requireFile(kind.withArticle() + " filter");
    }
    if (isSet && !kind.isMappable()) {
      throw new IllegalArgumentException(
          "--uncompressed is for filters that can be mapped, classic and blocked ones, not for "
              + kind.withArticle()
              + " filter");
    }
  }

  /** Returns what writes a filter as the option says. */
  LineFilterFile.Writer writer(LineFilter filter) {
    return isSet ? filter::writeMappableTo : filter::writeTo;
  }
}
