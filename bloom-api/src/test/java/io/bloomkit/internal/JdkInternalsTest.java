package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;

class JdkInternalsTest {

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
  void javasThatWouldWarnReturnNothing() {
    assertNull(JdkInternals.latin1("a"));
  }
}
