package io.bloomkit.interop.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class InteropFormatTest {

  @Test
  void filtersLargerThanAnArrayAreNotWrittenToOne() {
    String refusal =
        assertThrows(
                IllegalStateException.class,
                () -> InteropFormat.toBytes(Integer.MAX_VALUE, out -> out.write(1)))
            .getMessage();
    assertEquals(
        "the filter takes 2147483647 bytes, more than an array holds: use writeTo", refusal);
    assertArrayEquals(new byte[] {1}, InteropFormat.toBytes(1, out -> out.write(1)));
  }

  /** 2^28 words are 2^31 bytes, which an int does not hold. */
  @Test
  void wordsOfMoreThanTwoGibibytesAreReadInChunks() {
    assertEquals(8192, InteropFormat.chunkBytes(1 << 28));
    assertEquals(8192, InteropFormat.chunkBytes(Integer.MAX_VALUE));
    assertEquals(24, InteropFormat.chunkBytes(3));
  }

  @Test
  void aBodyThatFailsIsNotHidden() {
    assertThrows(
        UncheckedIOException.class,
        () ->
            InteropFormat.toBytes(
                1,
                out -> {
                  throw new IOException("of the body");
                }));
  }
}
