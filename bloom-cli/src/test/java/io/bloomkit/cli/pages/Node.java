package io.bloomkit.cli.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Node, where it is on the PATH. */
public final class Node {

  private Node() {}

  /** Returns whether Node 18 or later is installed. */
  public static boolean isInstalled() throws InterruptedException {
    String program = "process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)";
    try {
      return new ProcessBuilder("node", "-e", program).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Runs a script that must succeed, with a standard input, and returns what it prints. */
  public static String run(Path script, String input) throws IOException, InterruptedException {
    Path output = script.resolveSibling("output");
    Path errors = script.resolveSibling("errors");
    int exit =
        new ProcessBuilder("node", script.toString())
            .redirectInput(Files.writeString(script.resolveSibling("input"), input).toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start()
            .waitFor();
    assertEquals("0 ", exit + " " + Files.readString(errors));
    return Files.readString(output);
  }
}
