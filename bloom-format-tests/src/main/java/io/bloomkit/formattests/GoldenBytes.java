package io.bloomkit.formattests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Supplier;

/** Reads and creates golden files in the places that {@link FileFormatContract} describes. */
final class GoldenBytes {

  private GoldenBytes() {}

  /** Returns the bytes of a golden file. Creates it if it is missing and a folder is set. */
  static byte[] of(Class<?> test, String name, Supplier<byte[]> made) throws IOException {
    try (InputStream in = test.getResourceAsStream(FileFormatContract.FOLDER + name)) {
      if (in != null) {
        return in.readAllBytes();
      }
    }
    String folder = System.getProperty(FileFormatContract.WRITE_TO);
    if (folder == null) {
      throw new AssertionError(
          "there is no golden file " + name + ": set " + FileFormatContract.WRITE_TO);
    }
    Files.write(Path.of(folder, name), made.get());
    return made.get();
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
