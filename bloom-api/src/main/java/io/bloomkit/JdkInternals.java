package io.bloomkit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the class library of Java keeps to itself and its module {@code jdk.unsupported} opens:
 * where the words of a mapped buffer lie, and the bytes of a text. Without, a query of several
 * words of a mapped file takes half of its time again, and one of a text nearly twice its time
 * (docs/performance.md).
 *
 * <p>It is {@code sun.misc.Unsafe}, reached by handles and up to Java 23, since later ones warn of
 * it and will drop it. Nothing depends on it: all methods may answer null, as they do where the
 * module is missing.
 */
final class JdkInternals {

  private static final int LAST_VERSION_WITHOUT_WARNING = 23;

  /** Takes a buffer and gives its address; null where it is not to be had, as are the others. */
  private static final @Nullable MethodHandle ADDRESS;

  /** Takes an address and gives the eight bytes there. */
  private static final @Nullable MethodHandle WORD;

  /** Takes a string and gives the array that holds its text. */
  private static final @Nullable MethodHandle BYTES;

  /** Takes a string and gives what a character takes of that array: {@link #LATIN_1} or more. */
  private static final @Nullable MethodHandle CODER;

  private static final byte LATIN_1 = 0;

  static {
    MethodHandle address = null;
    MethodHandle word = null;
    MethodHandle bytes = null;
    MethodHandle coder = null;
    if (Runtime.version().feature() <= LAST_VERSION_WITHOUT_WARNING && !isNativeImage()) {
      try {
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
        bytes = fieldGetter(unsafe, "getObject", String.class.getDeclaredField("value"));
        coder = fieldGetter(unsafe, "getByte", String.class.getDeclaredField("coder"));
        if (!isAsExpected(bytes, coder)) {
          bytes = null;
        }
      } catch (ReflectiveOperationException | RuntimeException e) {
        bytes = null; // a Java, or an application of modules, without it
      }
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

  /** Whether strings are stored as they have been since Java 9. */
  private static boolean isAsExpected(MethodHandle bytes, MethodHandle coder) {
    try {
      return (Object) bytes.invokeExact((Object) "a\u00ff") instanceof byte[] latin1
          && (byte) coder.invokeExact((Object) "a\u00ff") == LATIN_1
          && latin1.length == 2
          && latin1[0] == 'a'
          && latin1[1] == (byte) 0xff
          && (byte) coder.invokeExact((Object) "a\u0100") != LATIN_1;
    } catch (Throwable e) {
      return false;
    }
  }

  /**
   * Returns the addresses of buffers outside the heap, which hold as long as the buffers are not
   * collected.
   *
   * @return an address each, or null if this Java tells none
   */
  static long @Nullable [] addresses(ByteBuffer... buffers) {
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
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }
    return addresses;
  }

  /**
   * Returns the eight little-endian bytes at an address, which nobody checks: one that is not in a
   * buffer gives anything or ends the virtual machine. The caller must hold the buffer until after.
   *
   * @param address from {@link #addresses}, and more by less than the buffer is long
   */
  static long word(long address) {
    try {
      return (long) Objects.requireNonNull(WORD).invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Returns the characters of a text, a byte each: not a copy but what the string itself has, for
   * reading only, and for no code that might do more.
   *
   * @return null if there are characters beyond Latin-1, or this Java does not tell
   */
  static byte @Nullable [] latin1(String text) {
    if (BYTES == null || CODER == null) {
      return null;
    }
    try {
      return (byte) CODER.invokeExact((Object) text) == LATIN_1
          ? (byte[]) (Object) BYTES.invokeExact((Object) text)
          : null;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** What to throw for something that a handle threw; it declares to throw anything. */
  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException exception
        ? exception
        : new IllegalStateException("reading memory throws nothing else", e);
  }
}
