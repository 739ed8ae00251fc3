package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/** What Java up to 23 tells; MappedFileTest has a file of 2.5 GiB that is read so. */
class JdkInternalsTest {

  private static ByteBuffer outsideTheHeap(long... words) {
    ByteBuffer bytes =
        ByteBuffer.allocateDirect(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(words);
    return bytes;
  }

  @Test
  @EnabledForJreRange(maxVersion = 23)
  void wordsOfBuffersAreReadByTheirAddress() {
    ByteBuffer one = outsideTheHeap(1, Long.MIN_VALUE + 7);
    ByteBuffer other = outsideTheHeap(-2);
    long[] addresses = JdkInternals.addresses(one, other);
    assertNotNull(addresses);
    assertEquals(2, addresses.length);
    try {
      assertEquals(1, JdkInternals.word(addresses[0]));
      assertEquals(Long.MIN_VALUE + 7, JdkInternals.word(addresses[0] + Long.BYTES));
      assertEquals(-2, JdkInternals.word(addresses[1]));
    } finally {
      Reference.reachabilityFence(List.of(one, other));
    }
  }

  @Test
  void buffersOnTheHeapHaveNoAddress() {
    assertNull(JdkInternals.addresses(outsideTheHeap(1), ByteBuffer.allocate(Long.BYTES)));
  }

  @Test
  @EnabledForJreRange(maxVersion = 23)
  void charactersOfLatin1AreAByteEach() {
    for (String text : List.of("", "a", "\u0080\u00ff", "a longer text")) {
      assertArrayEquals(text.getBytes(StandardCharsets.ISO_8859_1), JdkInternals.latin1(text));
    }
    assertNull(JdkInternals.latin1("\u0100"));
    assertNull(JdkInternals.latin1("a longer text \u20ac"));
  }

  @Test
  @EnabledForJreRange(minVersion = 24)
  void javasThatWouldWarnTellNothing() {
    assertNull(JdkInternals.latin1("a"));
    assertNull(JdkInternals.addresses(outsideTheHeap(1)));
  }
}
