package io.bloomkit.internal.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Which files a piece of code forces to the disk, as the flight recorder of the Java runtime sees
 * it. By reflection, because the recorder lies in a module that this one does not read.
 */
public final class ForcedFiles {

  private static final String EVENT = "jdk.FileForce";

  private ForcedFiles() {}

  /** A piece of code that may throw what files throw. */
  @FunctionalInterface
  public interface Code {
    void run() throws IOException;
  }

  /** Whether this Java runtime has a recorder. */
  public static boolean areSeen() {
    try {
      return (boolean)
          Class.forName("jdk.jfr.FlightRecorder").getMethod("isAvailable").invoke(null);
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** The files and directories that are forced meanwhile, by any thread, one after another. */
  public static List<Path> meanwhile(Code code) throws IOException {
    Path dump = Files.createTempFile("forced", ".jfr");
    try {
      Class<?> type = Class.forName("jdk.jfr.Recording");
      try (AutoCloseable recording = (AutoCloseable) type.getConstructor().newInstance()) {
        Object settings = type.getMethod("enable", String.class).invoke(recording, EVENT);
        Class<?> ofSettings = Class.forName("jdk.jfr.EventSettings");
        ofSettings.getMethod("withoutThreshold").invoke(settings);
        type.getMethod("start").invoke(recording);
        code.run();
        type.getMethod("stop").invoke(recording);
        type.getMethod("dump", Path.class).invoke(recording, dump);
      }
      List<Path> forced = new ArrayList<>();
      Class<?> ofEvent = Class.forName("jdk.jfr.consumer.RecordedEvent");
      Object events =
          Class.forName("jdk.jfr.consumer.RecordingFile")
              .getMethod("readAllEvents", Path.class)
              .invoke(null, dump);
      for (Object event : (List<?>) events) {
        forced.add(
            Path.of((String) ofEvent.getMethod("getString", String.class).invoke(event, "path")));
      }
      return forced;
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new LinkageError("the recorder of this Java runtime is another one", e);
    } finally {
      Files.delete(dump);
    }
  }
}
