package io.bloomkit.hash;

import io.bloomkit.internal.JdkInternals;
import io.bloomkit.internal.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Hashes a text by a bytes hash of its UTF-8 bytes. The text is encoded in the array of {@link
 * ScratchBuffer}; the bytes of an ASCII {@code String} may be hashed in place.
 */
record Utf8HashStrategy(BytesHashStrategy bytesHash) implements HashStrategy<CharSequence> {

  private static final int MAX_BYTES_PER_CHAR =
      3; // a surrogate pair takes four bytes for two chars

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
    // Other bytes hashes get a copy, because a hash of the user's could modify the array.
    if (ascii.length > ScratchBuffer.MAX_BYTES) {
      return bytesHash.hash(ascii.clone());
    }
    byte[] bytes = ScratchBuffer.bytes(ascii.length);
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
      for (int i = Long.BYTES; i < last; i += Long.BYTES) { // none for up to sixteen bytes
        all |= LittleEndian.getLong(bytes, i);
      }
      all |= LittleEndian.getLong(bytes, last); // may overlap the word before
    }
    return (all & 0x8080808080808080L) == 0;
  }

  /**
   * Encodes and hashes a text. This is a single long method on purpose: HotSpot does not inline a
   * hot method of more than 325 bytes of bytecode. Inlined into the loop of a caller, the loops of
   * this method may take twice as long or more.
   */
  private long hashEncoded(CharSequence element) {
    int length = element.length();
    if (length > ScratchBuffer.MAX_BYTES / MAX_BYTES_PER_CHAR) {
      return bytesHash.hash(element.toString().getBytes(StandardCharsets.UTF_8));
    }
    byte[] bytes = ScratchBuffer.bytes(length * MAX_BYTES_PER_CHAR);
    if (element instanceof String text) { // so that charAt is not a virtual call
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
