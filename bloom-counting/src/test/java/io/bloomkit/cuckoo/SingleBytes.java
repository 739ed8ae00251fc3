package io.bloomkit.cuckoo;

import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.implementation.MethodDelegation;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes tables byte by byte in place of the two methods of {@link TableShape} that take
 * eight bytes at once: Lincheck 3.7 throws an exception at their variable handle. So a model check
 * also meets words of which only a part is written.
 */
public final class SingleBytes {

  /** Called before each byte that is written; null for nothing. */
  static @Nullable Runnable atWrite;

  private SingleBytes() {}

  /** Changes {@link TableShape} until this virtual machine ends. */
  static void install() throws ReflectiveOperationException {
    // By reflection: its type is in the module java.instrument, which this one does not read.
    Class.forName("net.bytebuddy.agent.ByteBuddyAgent").getMethod("install").invoke(null);
    new ByteBuddy()
        .redefine(TableShape.class)
        .method(namedOneOf("word", "setWord"))
        .intercept(MethodDelegation.to(SingleBytes.class))
        .make()
        .load(
            TableShape.class.getClassLoader(),
            // Retransformation would be undone by that of Lincheck.
            ClassReloadingStrategy.fromInstalledAgent(
                ClassReloadingStrategy.Strategy.REDEFINITION));
  }

  /** Returns eight bytes of a table as a little-endian number. */
  public static long word(byte[] table, int index) {
    long word = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      word |= (table[index + i] & 0xffL) << (Byte.SIZE * i);
    }
    return word;
  }

  /** Writes those of eight bytes that change. */
  public static void setWord(byte[] table, int index, long word) {
    for (int i = 0; i < Long.BYTES; i++) {
      byte part = (byte) (word >>> (Byte.SIZE * i));
      if (table[index + i] != part) {
        if (atWrite != null) {
          atWrite.run();
        }
        table[index + i] = part;
      }
    }
  }
}
