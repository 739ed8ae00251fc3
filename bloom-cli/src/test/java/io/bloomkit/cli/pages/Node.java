package io.bloomkit.cli.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Node, where it is on the PATH. */
final class Node {

  private Node() {}

  static boolean isInstalled() throws InterruptedException {
    try {
      return new ProcessBuilder("node", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Runs a script that must succeed, and returns what it prints. */
  static String run(Path script) throws IOException, InterruptedException {
    Path output = script.resolveSibling("output");
    Path errors = script.resolveSibling("errors");
    int exit =
        new ProcessBuilder("node", script.toString())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start()
            .waitFor();
    assertEquals("0 ", exit + " " + Files.readString(errors));
    return Files.readString(output);
  }
}
