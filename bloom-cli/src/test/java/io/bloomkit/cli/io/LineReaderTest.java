package io.bloomkit.cli.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Against a search byte by byte. Each character of a text stands for a byte. */
class LineReaderTest {

  private static final int BLOCK = 1 << 18;

  /** Returns at most a given number of bytes per call. */
  private static final class Portions extends ByteArrayInputStream {
    private final int most;

    Portions(String text, int most) {
      super(text.getBytes(StandardCharsets.ISO_8859_1));
      this.most = most;
    }

    @Override
    public synchronized int read(byte[] bytes, int offset, int length) {
      return super.read(bytes, offset, Math.min(length, most));
    }
  }

  /** The lines of a text, each with its line feed. */
  private static List<String> linesOf(String text) {
    return text.isEmpty() ? List.of() : Pattern.compile("(?<=\n)").splitAsStream(text).toList();
  }

  private static LineReader reader(InputStream stream) {
    return new LineReader(new InputSource(stream, "the tape", InputSource.UNKNOWN), (byte) '\n');
  }

  private static List<String> read(LineReader reader) {
    List<String> lines = new ArrayList<>();
    while (reader.readMore()) {
      while (reader.next()) {
        String line = text(reader, reader.nextStart());
        String withoutLineFeed = text(reader, reader.lineEnd());
        assertEquals(line.endsWith("\n") ? withoutLineFeed + "\n" : withoutLineFeed, line);
        lines.add(line);
      }
    }
    assertFalse(reader.next(), "a line after the last");
    assertFalse(reader.readMore(), "more after the end");
    return lines;
  }

  private static String text(LineReader reader, int end) {
    int from = reader.lineStart();
    return new String(reader.buffer(), from, end - from, StandardCharsets.ISO_8859_1);
  }

  private static void assertLines(String text) {
    List<String> expected = linesOf(text);
    for (int most : new int[] {1, 7, 1 << 12, BLOCK, Integer.MAX_VALUE}) {
      if (text.length() / most < 10_000) {
        LineReader reader = reader(new Portions(text, most));
        List<String> lines = read(reader);
        assertEquals(expected.size(), lines.size(), "lines, by " + most + " bytes");
        assertTrue(expected.equals(lines), "another line, by " + most + " bytes");
        assertEquals(text.length(), reader.bytesRead());
      }
    }
  }

  @Test
  void emptyInputHasNoLine() {
    LineReader reader = reader(InputStream.nullInputStream());
    assertFalse(reader.readMore());
    assertFalse(reader.next());
    assertEquals(0, reader.bytesRead());
    assertLines("");
  }

  @Test
  void lineFeedsEndLinesAndCarriageReturnsAreBytes() {
    for (String text :
        new String[] {
          "\n", "\n\n\n", "a", "a\n", "a\nb", "\na", "a\r\n", "\r\n\r\n", "\r", "a\rb\n", "a\n\r"
        }) {
      assertLines(text);
    }
  }

  /** Eight bytes are looked at together: every byte that differs in a bit from a line feed. */
  @Test
  void onlyLineFeedsEndLinesWhereverTheyStand() {
    for (int b = 0; b < 256; b++) {
      StringBuilder text = new StringBuilder();
      for (int at = 0; at < 20; at++) {
        text.append(String.valueOf((char) b).repeat(at)).append('\n');
      }
      assertLines(text.toString());
    }
    // A borrow from the byte below must not make 0b a line feed.
    assertLines("\n\u000b\n\u000b\u000b\n\u000b\u000b\u000b".repeat(5));
  }

  @Test
  void linesOfRandomLengthsAndBytesComeAsTheyAre() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder();
      int feeds = 2 + random.nextInt(100);
      for (int i = 0; i < 20_000; i++) {
        text.append((char) (random.nextInt(feeds) == 0 ? '\n' : random.nextInt(256)));
      }
      assertLines(text.toString());
    }
  }

  @Test
  void linesEndAnywhereAboutTheEndOfABlock() {
    for (int about = -10; about <= 10; about++) {
      String first = "a".repeat(BLOCK + about - 1);
      assertLines(first + "\nb\nc");
      assertLines("0\n" + first + "\nb\n");
      assertLines(first);
      assertLines(first + "\n");
    }
  }

  @Test
  void aLineMayBeLongerThanManyBlocks() {
    String line = "x".repeat(5 * BLOCK + 3);
    assertLines("a\n" + line + "\n" + line + "y\nb\n" + line);
  }

  @Test
  void completeLinesAreFoundBeforeMoreIsRead() {
    LineReader reader = reader(new Portions("ab\ncd\ne", 4));
    assertTrue(reader.readMore());
    assertTrue(reader.next());
    assertEquals("ab\n", text(reader, reader.nextStart()));
    assertFalse(reader.next());
    assertTrue(reader.readMore());
    assertTrue(reader.next());
    assertEquals("cd\n", text(reader, reader.nextStart()));
    assertFalse(reader.next());
    assertTrue(reader.readMore());
    assertTrue(reader.next());
    assertEquals("e", text(reader, reader.nextStart()));
    assertFalse(reader.readMore());
  }

  @Test
  void theMeanLengthIsThatOfTheLinesToCome() {
    LineReader reader = reader(new Portions("abc\nde\nf\n", 100));
    reader.readMore();
    assertEquals(3, reader.meanLineBytes());
    reader.next();
    assertEquals(2.5, reader.meanLineBytes());
    LineReader feeds = reader(InputStream.nullInputStream());
    feeds.readMore();
    assertEquals(1, feeds.meanLineBytes());
  }

  @Test
  void aStreamThatFailsIsNamed() {
    InputStream failing =
        new InputStream() {
          @Override
          public int read() {
            throw new AssertionError();
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            throw new IOException("worn out");
          }
        };
    LineReader reader = reader(failing);
    assertEquals(
        "cannot read the tape: worn out",
        assertThrows(UncheckedIOException.class, reader::readMore).getMessage());
  }
}
