package io.bloomkit.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.UUID;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Hashing takes no memory: less than a byte an operation over many, once warm. */
class AllocationTest {

  private static final int OPERATIONS = 100_000;
  private static final String[] TEXTS = new String[64];
  private static final String[] ASCII = new String[64];
  private static final byte[][] ARRAYS = new byte[64][];
  private static final ByteBuffer[] BUFFERS = new ByteBuffer[64];
  private static final UUID[] UUIDS = new UUID[64];

  static {
    for (int i = 0; i < 64; i++) {
      TEXTS[i] = "\u0416\u20ac\ud834\udd1e-".repeat(i) + i;
      ASCII[i] = "a".repeat(i) + i;
      ARRAYS[i] = TEXTS[i].getBytes(UTF_8);
      BUFFERS[i] =
          i % 2 == 0
              ? ByteBuffer.wrap(ARRAYS[i])
              : ByteBuffer.allocateDirect(ARRAYS[i].length).put(ARRAYS[i]).flip();
      UUIDS[i] = new UUID(i, ~i);
    }
  }

  private static long sink;

  static Stream<Arguments> operations() {
    LongHashStrategy longs = HashStrategies.longs();
    HashStrategy<CharSequence> chars = HashStrategies.chars();
    HashStrategy<CharSequence> utf8 = HashStrategies.utf8();
    BytesHashStrategy sipHash = HashStrategies.sipHash24(new byte[16]);
    CharBuffer buffer = CharBuffer.wrap("text in a buffer");
    StringBuilder builder = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      builder.append(i);
    }
    LongHashStrategy seeded = HashStrategies.seeded(longs, 42);
    HashStrategy<String> composite =
        HashStrategies.<String>composite()
            .field("text", text -> text, utf8)
            .longField("length", String::length)
            .build();
    HashStrategy<String> field = utf8.on("text", text -> text);
    return Stream.of(
        operation("longs", i -> longs.hashLong(i)),
        operation("longs through SipHash", through(HashStrategies.longs(sipHash))),
        operation("seeded longs", i -> seeded.hashLong(i)),
        operation("chars", texts(chars, TEXTS)),
        operation("chars of a builder", i -> chars.hash(builder)),
        operation("utf8", texts(utf8, TEXTS)),
        operation("utf8 of ASCII", texts(utf8, ASCII)),
        operation("utf8 of a builder", i -> utf8.hash(builder)),
        operation("utf8 of a buffer", i -> utf8.hash(buffer)),
        operation("utf8 through SipHash", texts(HashStrategies.utf8(sipHash), TEXTS)),
        operation("utf8 of ASCII through SipHash", texts(HashStrategies.utf8(sipHash), ASCII)),
        operation("bytes", arrays(HashStrategies.bytes())),
        operation("buffers", buffers(HashStrategies.bytes())),
        operation("seeded buffers", buffers(HashStrategies.seeded(HashStrategies.bytes(), 1))),
        operation("buffers through SipHash", buffers(sipHash)),
        operation("field", i -> field.hash(TEXTS[i & 63])),
        operation("sipHash24", arrays(sipHash)),
        operation("uuids", uuids(HashStrategies.uuids())),
        operation("uuids through SipHash", uuids(HashStrategies.uuids(sipHash))),
        operation("composite", i -> composite.hash(TEXTS[i & 63])));
  }

  private static Arguments operation(String name, IntToLongFunction hash) {
    return arguments(name, hash);
  }

  private static IntToLongFunction through(LongHashStrategy strategy) {
    return strategy::hashLong;
  }

  private static IntToLongFunction texts(HashStrategy<CharSequence> strategy, String[] texts) {
    return i -> strategy.hash(texts[i & 63]);
  }

  private static IntToLongFunction arrays(BytesHashStrategy strategy) {
    return i -> strategy.hash(ARRAYS[i & 63]);
  }

  /** On the heap and beside it, in the byte order in which most are made. */
  private static IntToLongFunction buffers(BytesHashStrategy strategy) {
    HashStrategy<ByteBuffer> buffers = HashStrategies.byteBuffers(strategy);
    return i -> buffers.hash(BUFFERS[i & 63]);
  }

  private static IntToLongFunction uuids(HashStrategy<UUID> strategy) {
    return i -> strategy.hash(UUIDS[i & 63]);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void takesNoMemory(String name, IntToLongFunction hash) {
    long bytes = measure(hash);
    assertTrue(bytes < OPERATIONS, () -> name + ": " + bytes + " bytes");
  }

  /** The measurement sees an operation that does allocate. */
  @Test
  void aCopyOfTheBytesIsSeen() {
    long bytes =
        measure(
            i -> {
              byte[] copy = TEXTS[i & 63].getBytes(UTF_8);
              return HashStrategies.bytes().hash(copy);
            });
    assertTrue(bytes > 16L * OPERATIONS, () -> bytes + " bytes");
  }

  private static long measure(IntToLongFunction hash) {
    run(hash);
    return AllocatedBytes.of(() -> run(hash));
  }

  private static void run(IntToLongFunction hash) {
    long sum = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      sum += hash.applyAsLong(i);
    }
    sink = sum;
  }

  /** The sums are used, so that no hash is left out. */
  @Test
  void measuredOperationsAreComputed() {
    sink = 0;
    measure(i -> i);
    assertTrue(sink == (long) OPERATIONS * (OPERATIONS - 1) / 2);
  }
}
