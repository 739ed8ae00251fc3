package io.bloomkit.cli.dedup;

import static io.bloomkit.cli.DedupRun.dedup;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.DedupRun;
import io.bloomkit.cli.io.InputSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bloom dedup} reads and writes: lines of any bytes, packed or not, and failures. */
class DedupInputTest {

  @Test
  void lineEndsStayAsTheyCame() {
    assertEquals("a\r\na\nb\r\n", dedup("a\r\na\nb\r\na\r\nb\r\na\n"));
    assertEquals("a\nb", dedup("a\nb"));
    assertEquals("a\n", dedup("a\na"));
    assertEquals("a", dedup("a"));
    assertEquals("\n", dedup("\n\n\n"));
    assertEquals("", dedup(""));
  }

  /** Gives a few bytes a call, and never says that there are more. */
  private static final class Pieces extends InputStream {
    private final ByteArrayInputStream bytes;
    private final Random random;

    Pieces(byte[] bytes, Random random) {
      this.bytes = new ByteArrayInputStream(bytes);
      this.random = random;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      return bytes.read(target, offset, Math.min(length, 1 + random.nextInt(100)));
    }

    @Override
    public int available() {
      return 0;
    }
  }

  @Test
  void lineMayBeLongerThanAnyBuffer() {
    String a = "a".repeat(3_000_000);
    String b = a + "b";
    assertEquals(a + "\n" + b + "\nshort\n", dedup(a + "\n" + b + "\n" + a + "\nshort\n" + b));
  }

  @Test
  void linesAreAnsweredBeforeWaitingForMore() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    InputStream in =
        new InputStream() {
          private int reads;

          @Override
          public int read() {
            throw new AssertionError();
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            bytes[offset] = (byte) ('a' + reads);
            bytes[offset + 1] = '\n';
            assertEquals(2 * reads, out.size());
            return reads++ == 3 ? -1 : 2;
          }
        };
    DedupRun run = DedupRun.of(in, out, InstantSource.system());
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("a\nb\nc\n", out.toString(StandardCharsets.ISO_8859_1));
  }

  @Test
  void gzipIsToldByItsFirstBytes() throws IOException {
    byte[] parts = concatenated(gzip("a\nb\n"), gzip(""), gzip("b\nc\n"), gzip("a"));
    Random random = new Random(1);
    for (int i = 0; i < 5; i++) {
      DedupRun run = DedupRun.of(new Pieces(parts, random), InstantSource.system());
      assertEquals(0, run.exitCode(), run.err());
      assertEquals("a\nb\nc\n", run.text());
    }
    assertEquals("a\nb\nc\n", DedupRun.of(parts, "--gzip").text());
    byte[] short1 = {0x1f};
    assertArrayEquals(short1, DedupRun.of(short1).out());
    byte[] raw = gzip("a\n");
    assertArrayEquals(raw, DedupRun.of(raw, "--no-gzip").out());
  }

  /** As gzip does: tapes are filled up with zeros. */
  @Test
  void zerosMayFollowThePackedParts() throws IOException {
    for (int zeros : new int[] {1, 2, 7, 8, 18, 100, 70_000, 200_000}) {
      byte[] input = concatenated(gzip("a\nb\n"), gzip("b\nc\n"), new byte[zeros]);
      for (int seed = 0; seed < 5; seed++) {
        byte[] lines = decompressed(new Pieces(input, new Random(seed)));
        assertEquals("a\nb\nb\nc\n", new String(lines, StandardCharsets.ISO_8859_1));
      }
      byte[] more = concatenated(input, new byte[] {'x'});
      byte[] another = concatenated(input, gzip("d\n"));
      for (int seed = 0; seed < 5; seed++) {
        isNotUnpacked(new Pieces(more, new Random(seed)));
        isNotUnpacked(new Pieces(another, new Random(seed)));
      }
    }
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    return bytes.toByteArray();
  }

  private static byte[] concatenated(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }

  @Test
  void damagedInputIsNoSuccess() throws IOException {
    byte[] packed = gzip("a\nb\n".repeat(1000));
    byte[] wrongSum = packed.clone();
    wrongSum[packed.length - 6]++;
    for (byte[] input : List.of(Arrays.copyOf(packed, packed.length - 9), wrongSum)) {
      DedupRun.of(input).isNoSuccess("bloom: cannot read standard input: ");
    }
    DedupRun.of("a\n", "--gzip").isNoSuccess("bloom: cannot read standard input: ");
    DedupRun.of("", "--gzip").isNoSuccess("bloom: cannot read standard input: ");
    for (Path unreadable : List.of(Path.of("/no/such/file"), Path.of("/"))) {
      DedupRun.of("", unreadable.toString()).isNoSuccess("bloom: cannot read " + unreadable + " ");
    }
  }

  /** Where reads end, and where the packed parts do, is of no consequence. */
  @Test
  void plainBytesAfterAGzipPartAreRefused() throws IOException {
    byte[] part = gzip("a\n".repeat(100));
    byte[] damaged = gzip("b\n");
    damaged[1]++;
    byte[] cutInTheHeader = Arrays.copyOf(gzip("b\n"), 7);
    for (byte[] rest :
        List.of(
            new byte[] {'x'},
            "junk\n".repeat(20_000).getBytes(StandardCharsets.UTF_8),
            damaged,
            cutInTheHeader)) {
      byte[] input = concatenated(part, gzip("a\nb\n"), rest);
      for (int seed = 0; seed < 5; seed++) {
        isNotUnpacked(new Pieces(input, new Random(seed)));
      }
      DedupRun.of(input)
          .isNoSuccess("bloom: cannot read standard input: data that is not compressed by gzip");
      for (int cut = 1; cut <= input.length - rest.length; cut++) { // within the last trailer too
        isNotUnpacked(
            new SequenceInputStream(
                new ByteArrayInputStream(input, 0, cut),
                new ByteArrayInputStream(input, cut, input.length - cut)));
      }
    }
    byte[] many = part;
    for (int i = 0; i < 200; i++) {
      many = concatenated(many, gzip(i + "\n"));
    }
    byte[] lines = decompressed(new ByteArrayInputStream(many));
    assertEquals(300, new String(lines, StandardCharsets.ISO_8859_1).lines().count());
    for (int seed = 0; seed < 12; seed++) {
      assertArrayEquals(lines, decompressed(new Pieces(many, new Random(seed))), "seed " + seed);
    }
    assertEquals(201, DedupRun.of(many).text().lines().count());
  }

  /** As the command reads its input. */
  private static byte[] decompressed(InputStream packed) throws IOException {
    return new InputSource(packed, "input", InputSource.UNKNOWN)
        .decompressed(null).stream().readAllBytes();
  }

  private static void isNotUnpacked(InputStream input) {
    String message = assertThrows(IOException.class, () -> decompressed(input)).toString();
    assertTrue(message.contains("data that is not compressed by gzip"), message);
  }

  @Test
  void outputThatFailsIsNoSuccess() {
    OutputStream full =
        new OutputStream() {
          private int room = 1000;

          @Override
          public void write(int b) throws IOException {
            if (room-- == 0) {
              throw new IOException("No space left on device");
            }
          }
        };
    InputStream in = new ByteArrayInputStream("line\n".repeat(2).getBytes(StandardCharsets.UTF_8));
    assertEquals(0, DedupRun.of(in, full, InstantSource.system()).exitCode());
    String lines = CommandRun.numbers(0, 1000);
    InputStream more = new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8));
    DedupRun.of(more, full, InstantSource.system())
        .isNoSuccess("bloom: cannot write to standard output: No space left on device");
  }

  @Test
  void fileIsReadInPlaceOfStandardInput(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("lines");
    Files.writeString(file, "a\nb\na\n");
    assertEquals("a\nb\n", dedup("", file.toString()));
    assertEquals("c\n", dedup("c\nc\n", "-"));
    Files.write(file, gzip("x\nx\n"));
    assertEquals("x\n", dedup("", file.toString()));
    Files.write(file, new byte[0]);
    assertEquals("", dedup("c\n", file.toString()));
    // Far more lines than the first ones made it expect.
    String lines = "long ".repeat(50_000) + "\n" + CommandRun.numbers(0, 200_000);
    Files.writeString(file, lines);
    assertEquals(lines, dedup("", file.toString(), "--fpp=1e-9"));
  }
}
