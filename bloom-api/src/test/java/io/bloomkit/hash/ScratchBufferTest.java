package io.bloomkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.CharBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/** What a thread keeps for the encoding of texts. */
class ScratchBufferTest {

  /** In a thread of its own, which has no array yet. */
  private static <T> T inNewThread(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    new Thread(task).start();
    return task.get();
  }

  private static int lengthAfter(String text) throws Exception {
    return inNewThread(
        () -> {
          CharSequence encoded = CharBuffer.wrap(text); // a String may need no room
          assertNotEquals(0, HashStrategies.utf8().hash(encoded));
          return ScratchBuffer.bytes(0).length;
        });
  }

  @Test
  void arrayIsTheSameUntilALongerOneIsNeededWhichIsTwiceAsLong() throws Exception {
    byte[] last =
        inNewThread(
            () -> {
              byte[] first = ScratchBuffer.bytes(1);
              assertEquals(256, first.length);
              assertSame(first, ScratchBuffer.bytes(256));
              byte[] second = ScratchBuffer.bytes(257);
              assertEquals(512, second.length);
              assertSame(second, ScratchBuffer.bytes(100));
              assertEquals(10_000, ScratchBuffer.bytes(10_000).length);
              return ScratchBuffer.bytes(ScratchBuffer.MAX_BYTES);
            });
    assertEquals(ScratchBuffer.MAX_BYTES, last.length);
  }

  @Test
  void noThreadKeepsMoreThanTheMost() throws Exception {
    assertEquals(256, lengthAfter("a".repeat(85)));
    assertEquals(512, lengthAfter("a".repeat(86)));
    assertEquals(ScratchBuffer.MAX_BYTES, lengthAfter("a".repeat(1 << 18)));
    assertEquals(256, lengthAfter("a".repeat((1 << 18) + 1)));
  }

  /** A hash that gets a copy of the text, as all do that are not of the hashing library. */
  @Test
  @EnabledForJreRange(maxVersion = 23) // later ones encode it, which needs three times the room
  void noThreadKeepsMoreForAString() throws Exception {
    assertEquals(ScratchBuffer.MAX_BYTES, lengthAfterDigestOf(ScratchBuffer.MAX_BYTES));
    assertEquals(256, lengthAfterDigestOf(ScratchBuffer.MAX_BYTES + 1));
  }

  private static int lengthAfterDigestOf(int length) throws Exception {
    return inNewThread(
        () -> {
          assertNotEquals(0, HashStrategies.utf8(HashStrategies.md5()).hash("a".repeat(length)));
          return ScratchBuffer.bytes(0).length;
        });
  }
}
