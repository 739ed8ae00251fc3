package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.io.LineHash;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines are hashed by the strategy of the filter, whichever it is. */
class HashedLineFilterTest {

  private static final BytesHashStrategy SEEDED = HashStrategies.seeded(HashStrategies.bytes(), 19);
  private static final FileKind KIND = new FileKind(CountingBloomFilter.KIND);
  private static final String LINE = "größe";

  @TempDir private Path folder;

  @Test
  void javaFindsWhatWasAddedAsALineAndTheOtherWayRound() throws IOException {
    find(LineHash.ofBytes(SEEDED), LINE.getBytes(StandardCharsets.UTF_8));
    find(LineHash.ofTexts(SEEDED), LINE);
  }

  private <T> void find(LineHash<T> hash, T element) throws IOException {
    byte[] bytes = ("<" + LINE + ">").getBytes(StandardCharsets.UTF_8);
    int to = bytes.length - 1;
    Path file = folder.resolve("filter");
    LineFilter lines = HashedLineFilter.create(KIND, CountingBloomFilter.KIND, hash, 100, 1e-9);
    assertTrue(lines.add(bytes, 1, to));
    lines.writeTo(file);

    CountingBloomFilter<T> filter = CountingBloomFilter.readFrom(file, hash.strategy());
    assertEquals(1, filter.count(element));
    filter.add(element);
    filter.writeTo(file);

    LineFilter read;
    try (InputStream in = Files.newInputStream(file)) {
      read = HashedLineFilter.read(KIND, CountingBloomFilter.KIND, hash, in);
    }
    assertTrue(read.mightContain(bytes, 1, to));
    assertTrue(read.remove(bytes, 1, to));
    assertTrue(read.remove(bytes, 1, to));
    assertFalse(read.mightContain(bytes, 1, to));
  }
}
