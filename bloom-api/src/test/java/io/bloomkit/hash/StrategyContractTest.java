package io.bloomkit.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.Refusals;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every ready-made strategy keeps to: ranges, nulls, and use by several threads at once. */
class StrategyContractTest {

  static Stream<BytesHashStrategy> bytesHashes() {
    return Stream.of(
        HashStrategies.bytes(),
        HashStrategies.md5(),
        HashStrategies.sha384(),
        HashStrategies.murmur3(7),
        HashStrategies.sipHash24(new byte[16]),
        HashStrategies.seeded(HashStrategies.md5(), 7));
  }

  static Stream<HashStrategy<?>> strategies() {
    return Stream.concat(
        bytesHashes()
            .flatMap(
                bytes ->
                    Stream.of(
                        bytes,
                        HashStrategies.utf8(bytes),
                        HashStrategies.longs(bytes),
                        HashStrategies.byteBuffers(bytes),
                        HashStrategies.uuids(bytes))),
        Stream.of(
            HashStrategies.longs(),
            HashStrategies.ints(),
            HashStrategies.chars(),
            HashStrategies.uuids(),
            HashStrategies.seeded(HashStrategies.utf8(), 1),
            HashStrategies.seeded(HashStrategies.longs(), 1),
            HashStrategies.<String>composite()
                .field("text", text -> text, HashStrategies.utf8())
                .build(),
            HashStrategies.utf8().on("text", (String text) -> text),
            HashStrategy.of("length", String::length),
            HashStrategy.of("one", text -> 1),
            LongHashStrategy.of("identity", number -> number)));
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void aNullElementIsRefused(HashStrategy<?> strategy) {
    Refusals.assertRefused(
        NullPointerException.class, () -> strategy.hash(Refusals.absent()), "element");
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void theIdIsItsText(HashStrategy<?> strategy) {
    assertEquals(strategy.id(), strategy.toString());
  }

  @ParameterizedTest
  @MethodSource("bytesHashes")
  void missingBytesAreRefused(BytesHashStrategy strategy) {
    Refusals.assertRefused(
        NullPointerException.class, () -> strategy.hashBytes(Refusals.absent(), 0, 0), "bytes");
    Refusals.assertRefused(
        NullPointerException.class,
        () -> strategy.hashBytes(Refusals.<ByteBuffer>absent()),
        "bytes");
  }

  @ParameterizedTest
  @MethodSource("bytesHashes")
  void aRangeOutsideTheArrayIsRefused(BytesHashStrategy strategy) {
    byte[] bytes = new byte[10];
    int[][] ranges = {
      {-1, 2},
      {0, -1},
      {0, 11},
      {10, 1},
      {11, 0},
      {5, 6},
      {1, Integer.MAX_VALUE},
      {Integer.MAX_VALUE, 1},
      {Integer.MIN_VALUE, Integer.MIN_VALUE}
    };
    for (int[] range : ranges) {
      assertThrows(
          IndexOutOfBoundsException.class, () -> strategy.hashBytes(bytes, range[0], range[1]));
    }
  }

  @ParameterizedTest
  @MethodSource("bytesHashes")
  void aPartHashesAsItsCopyAndARefusalLeavesNoTrace(BytesHashStrategy strategy) {
    byte[] bytes = new byte[40];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 37);
    }
    for (int from = 0; from <= bytes.length; from += 3) {
      for (int length = 0; length <= bytes.length - from; length += 7) {
        assertEquals(
            strategy.hash(Arrays.copyOfRange(bytes, from, from + length)),
            strategy.hashBytes(bytes, from, length));
        assertThrows(IndexOutOfBoundsException.class, () -> strategy.hashBytes(bytes, 0, 41));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("bytesHashes")
  void severalThreadsGetTheHashesOfOne(BytesHashStrategy strategy) throws Exception {
    int elements = 5_000;
    assertSameInThreads(
        () -> {
          long[] hashes = new long[4 * elements];
          for (int i = 0; i < elements; i++) {
            String text = "\u0416element-" + i;
            hashes[4 * i] = HashStrategies.utf8(strategy).hash(text);
            hashes[4 * i + 1] = strategy.hash(text.getBytes(UTF_8));
            hashes[4 * i + 2] = HashStrategies.longs(strategy).hashLong(i);
            hashes[4 * i + 3] = HashStrategies.uuids(strategy).hash(new UUID(i, -i));
          }
          return hashes;
        });
  }

  /** Four threads at once against this one alone. */
  private static void assertSameInThreads(Callable<long[]> hashes) throws Exception {
    long[] expected = hashes.call();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<long[]>> results = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        results.add(threads.submit(hashes));
      }
      for (Future<long[]> result : results) {
        assertArrayEquals(expected, result.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** State that threads share is found out by the check above: the element of another is hashed. */
  @Test
  void stateThatThreadsShareIsFoundOut() {
    AtomicLong shared = new AtomicLong();
    assertThrows(
        AssertionError.class,
        () -> assertSameInThreads(() -> new long[] {shared.incrementAndGet()}));
  }
}
