package io.bloomkit.hash;

import io.bloomkit.internal.JdkInternals;
import io.bloomkit.internal.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Texts as UTF-8 bytes of a bytes hash: encoded in the thread's scratch array, or read where they
 * stand if a {@code String} is ASCII.
 */
record Utf8HashStrategy(BytesHashStrategy bytesHash) implements HashStrategy<CharSequence> {

  private static final int MAX_BYTES_A_CHAR = 3; // a surrogate pair takes four for its two

  Utf8HashStrategy {
    Objects.requireNonNull(bytesHash, "bytesHash");
  }

  @Override
  public long hash(CharSequence element) {
    Objects.requireNonNull(element, "element");
    if (element instanceof String text) {
      byte[] latin1 = JdkInternals.latin1(text);
      if (latin1 != null && isAscii(latin1)) {
        return hashAscii(latin1);
      }
    }
    return hashEncoded(element);
  }

  private long hashAscii(byte[] ascii) {
    if (bytesHash instanceof HasherBytesHashStrategy hasher) {
      return hasher.hashBytes(ascii, 0, ascii.length);
    }
    // Others get a copy: a hash of the user's could change what it is given.
    if (ascii.length > Scratch.MAX_BYTES) {
      return bytesHash.hash(ascii.clone());
    }
    byte[] bytes = Scratch.bytes(ascii.length);
    System.arraycopy(ascii, 0, bytes, 0, ascii.length);
    return bytesHash.hashBytes(bytes, 0, ascii.length);
  }

  private static boolean isAscii(byte[] bytes) {
    long all = 0;
    int last = bytes.length - Long.BYTES;
    if (last < 0) {
      for (byte b : bytes) {
        all |= b;
      }
    } else {
      all = LittleEndian.getLong(bytes, 0);
      for (int i = Long.BYTES; i < last; i += Long.BYTES) { // no turn up to sixteen bytes
        all |= LittleEndian.getLong(bytes, i);
      }
      all |= LittleEndian.getLong(bytes, last); // some of them once more
    }
    return (all & 0x8080808080808080L) == 0;
  }

  /**
   * Encodes and hashes. One long method on purpose: HotSpot compiles a method of more than 325
   * bytes of code by itself. Within the loop of a caller these loops may take twice as long or more
   * (docs/lab/performance.md).
   */
  private long hashEncoded(CharSequence element) {
    int length = element.length();
    if (length > Scratch.MAX_BYTES / MAX_BYTES_A_CHAR) {
      return bytesHash.hash(element.toString().getBytes(StandardCharsets.UTF_8));
    }
    byte[] bytes = Scratch.bytes(length * MAX_BYTES_A_CHAR);
    if (element instanceof String text) { // the compiler knows whose charAt it is
      int allBits = 0;
      for (int i = 0; i < length; i++) {
        char c = text.charAt(i);
        allBits |= c;
        bytes[i] = (byte) c;
      }
      if (allBits < 0x80) {
        return bytesHash.hashBytes(bytes, 0, length);
      }
    }
    int end = 0;
    for (int i = 0; i < length; i++) {
      char c = element.charAt(i);
      if (c < 0x80) {
        bytes[end++] = (byte) c;
      } else if (c < 0x800) {
        bytes[end++] = (byte) (0xc0 | (c >>> 6));
        bytes[end++] = (byte) (0x80 | (c & 0x3f));
      } else if (!Character.isSurrogate(c)) {
        bytes[end++] = (byte) (0xe0 | (c >>> 12));
        bytes[end++] = (byte) (0x80 | ((c >>> 6) & 0x3f));
        bytes[end++] = (byte) (0x80 | (c & 0x3f));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < length
          && Character.isLowSurrogate(element.charAt(i + 1))) {
        int codePoint = Character.toCodePoint(c, element.charAt(++i));
        bytes[end++] = (byte) (0xf0 | (codePoint >>> 18));
        bytes[end++] = (byte) (0x80 | ((codePoint >>> 12) & 0x3f));
        bytes[end++] = (byte) (0x80 | ((codePoint >>> 6) & 0x3f));
        bytes[end++] = (byte) (0x80 | (codePoint & 0x3f));
      } else {
        bytes[end++] = '?'; // as String.getBytes does
      }
    }
    return bytesHash.hashBytes(bytes, 0, end);
  }

  @Override
  public String id() {
    return "utf8(" + bytesHash.id() + ")";
  }

  @Override
  public long fingerprint() {
    return Probes.fingerprintOfText(this);
  }

  @Override
  public String toString() {
    return id();
  }
}
