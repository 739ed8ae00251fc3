package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.BlockedShape;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/format.md says where an element lies in blocks: this does it by what stands there. */
class BlockMasksDocumentTest {

  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

  /** The base masks of the document, by positions less one and e mod 8. */
  private static long[][] tableOf(int positionsOfWord) throws IOException {
    String document = Files.readString(Path.of("../docs/format.md"));
    String table = document.split("base masks of " + positionsOfWord + " \\|", -1)[1];
    Matcher rows =
        Pattern.compile("\\| (\\d) \\| ([0-9a-f, ]+) \\|").matcher(table.split("\n\n", -1)[0]);
    long[][] masks = new long[BlockMasks.MAX_POSITIONS][];
    while (rows.find()) {
      masks[Integer.parseInt(rows.group(1)) - 1] =
          Arrays.stream(rows.group(2).split(", ", -1))
              .mapToLong(mask -> Long.parseUnsignedLong(mask, 16))
              .toArray();
    }
    return masks;
  }

  private static long[] positions(long mask, int factor, int rotation, int positionsOfWord) {
    return IntStream.range(0, positionsOfWord)
        .filter(i -> (mask >>> i & 1) == 1)
        .mapToLong(i -> (i * factor + rotation) % positionsOfWord)
        .sorted()
        .toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 16})
  void tablesAreThoseOfTheDocument(int positionsOfWord) throws IOException {
    long[][] table = tableOf(positionsOfWord);
    for (int r = 1; r <= BlockMasks.MAX_POSITIONS; r++) {
      for (int e = 0; e < 8; e++) {
        assertEquals(BlockMasks.mask(positionsOfWord, r, e), table[r - 1][e], r + ", " + e);
      }
      assertEquals(8, table[r - 1].length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 16})
  void positionsAreThoseThatTheDocumentComputes(int positionsOfWord) throws IOException {
    long[][] table = tableOf(positionsOfWord);
    SplittableRandom random = new SplittableRandom(20);
    for (int i = 0; i < 20_000; i++) {
      long blocks = 2 + 2 * random.nextLong(1L << random.nextInt(1, 27));
      int r = random.nextInt(1, 9);
      assertPositions(
          new BlockedShape(blocks, 8 * positionsOfWord, 2 * r), random.nextLong(), table[r - 1]);
    }
  }

  private static void assertPositions(BlockedShape shape, long h, long[] bases) {
    int perWord = shape.positionsPerWord();
    int r = shape.hashes() / 2;
    BigInteger flipped = new BigInteger(Long.toUnsignedString(h ^ Long.MIN_VALUE));
    long v = flipped.multiply(BigInteger.valueOf(8 * shape.blocks())).divide(TWO_TO_64).longValue();
    int p = (int) h & 0x3f;
    int q = (int) (h >>> 6) & 0x3f;
    int e = (int) (h >>> 18) & 0xff;
    int x = (int) (h >>> 26) & 0x3f;
    int ofSecond = r <= 3 ? e ^ 1 : (int) ((h * 0xF1357AEA2E62A9C5L) >>> 56);
    int rotation = perWord == 64 && r <= 3 ? p : q;
    int unused = perWord == 16 ? 4 : 1;
    long[] first = positions(bases[e % 8], 2 * (e / 8) + 1, p / unused, perWord);
    long[] second =
        positions(bases[ofSecond % 8], 2 * (ofSecond / 8) + 1, rotation / unused, perWord);
    for (int i = 0; i < r; i++) {
      assertEquals(v * perWord + first[i], shape.positionOf(h, i));
      assertEquals((v ^ (1 + 7 * x / 64)) * perWord + second[i], shape.positionOf(h, r + i));
    }
  }

  @Test
  void theExampleIsRight() {
    BlockedShape shape = new BlockedShape(1000, 512, 6);
    long[] expected = {3, 10, 26, 0, 19, 62};
    for (int i = 0; i < 6; i++) {
      long word = i < 3 ? 4035 : 4039;
      assertEquals(64 * word + expected[i], shape.positionOf(0x0123456789ABCDEFL, i));
    }
  }
}
