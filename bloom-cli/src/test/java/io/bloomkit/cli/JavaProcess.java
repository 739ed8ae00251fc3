package io.bloomkit.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A Java of its own with the class path of this one. */
public final class JavaProcess {

  private JavaProcess() {}

  /** Returns what starts it; the words before it begin the command line. */
  public static ProcessBuilder of(List<String> before, Class<?> mainClass, Object... arguments) {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass.getName());
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    return new ProcessBuilder(command);
  }
}
