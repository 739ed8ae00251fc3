package io.bloomkit.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the class library of Java keeps to itself and its module {@code jdk.unsupported} opens:
 * where the words of a mapped buffer lie, and the bytes of a text. Without them queries of mapped
 * files above two gibibytes and of texts take up to twice as long (docs/performance.md).
 *
 * <p>It is {@code sun.misc.Unsafe}, reached by handles and up to Java 23, since later ones warn of
 * it and will drop it. Nothing depends on it: where it cannot be reached, {@link #addresses} and
 * {@link #latin1} return null.
 */
public final class JdkInternals {

  private static final int LAST_VERSION_WITHOUT_WARNING = 23;

  private static final byte LATIN_1 = 0;

  /** Takes a buffer and returns its address; null if not available, like those below. */
  private static final @Nullable MethodHandle ADDRESS;

  /** Takes an address and returns the eight bytes there. */
  private static final @Nullable MethodHandle WORD;

  /** Takes a string and returns the array that holds its characters. */
  private static final @Nullable MethodHandle BYTES;

  /** Takes a string and returns its coder: {@link #LATIN_1} if each character takes one byte. */
  private static final @Nullable MethodHandle CODER;

  static {
    MethodHandle address = null;
    MethodHandle word = null;
    MethodHandle bytes = null;
    MethodHandle coder = null;
    try {
      if (Runtime.version().feature() <= LAST_VERSION_WITHOUT_WARNING && !isNativeImage()) {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field instance = type.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        Object unsafe = instance.get(null);
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
          word =
              MethodHandles.publicLookup()
                  .findVirtual(type, "getLong", MethodType.methodType(long.class, long.class))
                  .bindTo(unsafe);
          address = fieldGetter(unsafe, "getLong", Buffer.class.getDeclaredField("address"));
        }
        coder = fieldGetter(unsafe, "getByte", String.class.getDeclaredField("coder"));
        bytes = fieldGetter(unsafe, "getObject", String.class.getDeclaredField("value"));
        if (!areStringsAsExpected(bytes, coder)) {
          bytes = null;
        }
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      bytes = null; // not there, or not for us: all else works without
    }
    ADDRESS = address;
    WORD = word;
    BYTES = bytes;
    CODER = coder;
  }

  private JdkInternals() {}

  /** Whether this is compiled ahead of time, perhaps with offsets of the machine that does so. */
  private static boolean isNativeImage() {
    return System.getProperty("org.graalvm.nativeimage.imagecode") != null;
  }

  private static MethodHandle fieldGetter(Object unsafe, String name, Field field)
      throws ReflectiveOperationException {
    Class<?> type = unsafe.getClass();
    Object offset = type.getMethod("objectFieldOffset", Field.class).invoke(unsafe, field);
    Class<?> result = field.getType().isPrimitive() ? field.getType() : Object.class;
    MethodType getter = MethodType.methodType(result, Object.class, long.class);
    MethodHandle get = MethodHandles.publicLookup().findVirtual(type, name, getter);
    return MethodHandles.insertArguments(get.bindTo(unsafe), 1, offset);
  }

  /** Whether strings are stored as they have been since Java 9, and compactly. */
  private static boolean areStringsAsExpected(MethodHandle bytes, MethodHandle coder) {
    try {
      return (Object) bytes.invokeExact((Object) "a\u00ff") instanceof byte[] latin1
          && (byte) coder.invokeExact((Object) "a\u00ff") == LATIN_1
          && Arrays.equals(latin1, new byte[] {'a', (byte) 0xff})
          && (byte) coder.invokeExact((Object) "a\u0100") != LATIN_1;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("reading a field throws nothing else", e);
    }
  }

  /**
   * Returns the addresses of buffers outside the heap, which hold as long as the buffers are not
   * collected.
   *
   * @return an address each, or null if they cannot be had
   */
  public static long @Nullable [] addresses(ByteBuffer... buffers) {
    if (ADDRESS == null) {
      return null;
    }
    long[] addresses = new long[buffers.length];
    for (int i = 0; i < addresses.length; i++) {
      if (!buffers[i].isDirect()) {
        return null; // of a file system that copies what it maps
      }
      try {
        addresses[i] = (long) ADDRESS.invokeExact((Object) buffers[i]);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new AssertionError("reading a field throws nothing else", e);
      }
    }
    return addresses;
  }

  /**
   * Returns the eight little-endian bytes at an address, which nobody checks: one that is not in a
   * buffer gives anything or ends the virtual machine. The caller must hold the buffer until after.
   *
   * @param address one of {@link #addresses}, and at most the length of its buffer less eight bytes
   *     more
   */
  public static long word(long address) {
    try {
      return (long) Objects.requireNonNull(WORD).invokeExact(address);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("reading memory throws nothing else", e);
    }
  }

  /**
   * Returns the characters of a text, a byte each: not a copy but what the string itself has, for
   * reading only, and for no code that might do more.
   *
   * @return null if there are characters beyond Latin-1, or it cannot be told
   */
  public static byte @Nullable [] latin1(String text) {
    if (BYTES == null || CODER == null) {
      return null;
    }
    try {
      return (byte) CODER.invokeExact((Object) text) == LATIN_1
          ? (byte[]) (Object) BYTES.invokeExact((Object) text)
          : null;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("reading a field throws nothing else", e);
    }
  }
}
