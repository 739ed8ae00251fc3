package io.bloomkit.cli.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.io.LineReader;
import io.bloomkit.cli.io.LineWriter;
import io.bloomkit.cli.text.Window;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines are hashed by the strategy of the filter that remembers them, whichever it is. */
class SeenLinesTest {

  private static final BytesHashStrategy SEEDED = HashStrategies.seeded(HashStrategies.bytes(), 19);
  private static final byte[] LINE = "größe".getBytes(StandardCharsets.UTF_8);
  private static final double FPP = 1e-9;

  @Test
  void linesAreHashedByTheStrategyOfTheFilter() {
    for (SeenLines seen :
        List.of(
            AllSeenLines.fixed(SEEDED, 100, FPP),
            AllSeenLines.fixed(SEEDED, 100, 0.001),
            AllSeenLines.growing(SEEDED, 100, FPP),
            AllSeenLines.estimated(SEEDED, 100, FPP),
            RecentLines.of(SEEDED, new Window("100", 100, null), 100, FPP),
            RecentLines.of(SEEDED, new Window("1h", 0, Duration.ofHours(1)), 100, FPP))) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      LineReader in = new LineReader(new ByteArrayInputStream(LINE), "lines", (byte) '\n');
      Dedup dedup = new Dedup(settings(), in, new LineWriter(out), seen, null);
      while (in.readMore()) {
        dedup.takeWhatWasRead();
      }
      assertEquals(1, dedup.lines(), seen.description());
      assertFalse(seen.isFirst(SEEDED.hash(LINE)), seen.description());
      assertTrue(seen.isFirst(HashStrategies.bytes().hash(LINE)), seen.description());
    }
  }

  private static Dedup.Settings settings() {
    LineOptions options = new LineOptions();
    options.check();
    return new Dedup.Settings(options.fields(), null, TimeFormat.MS, false, false, false);
  }
}
