package io.bloomkit.cli.examine;

import io.bloomkit.cli.io.FileFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the key of a SipHash strategy from a file or an environment variable. The key is never an
 * argument, because arguments are stored in the shell's history and visible in the list of
 * processes. Messages never contain the key.
 */
final class SipHashKey {

  /** The environment variable that may contain the key. */
  static final String VARIABLE = "BLOOM_SIPHASH_KEY";

  /**
   * The key of the published test vectors (J.-P. Aumasson, D. Bernstein, SipHash: a fast
   * short-input PRF, 2012, appendix A).
   */
  private static final String PUBLISHED = "000102030405060708090a0b0c0d0e0f";

  private SipHashKey() {}

  /**
   * Returns the key.
   *
   * @param file the file with the key, or null if none is given
   * @param environment returns the value of an environment variable, or null if it is not set
   * @throws IllegalArgumentException if the key is not 32 hexadecimal digits
   * @throws java.io.UncheckedIOException if the file cannot be read
   */
  static byte[] of(@Nullable Path file, UnaryOperator<@Nullable String> environment) {
    if (file != null) {
      return bytes(read(file), file.toString());
    }
    String value = environment.apply(VARIABLE);
    return value == null
        ? HexFormat.of().parseHex(PUBLISHED)
        : bytes(value, "the environment variable " + VARIABLE);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw FileFailure.reading(file, e);
    }
  }

  private static byte[] bytes(String text, String where) {
    String digits = text.strip();
    if (digits.length() != PUBLISHED.length() || !digits.matches("\\p{XDigit}*")) {
      throw new IllegalArgumentException(
          where + " must contain a key of " + PUBLISHED.length() + " hexadecimal digits");
    }
    return HexFormat.of().parseHex(digits);
  }
}
