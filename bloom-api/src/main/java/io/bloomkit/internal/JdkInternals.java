package io.bloomkit.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gives access to the bytes inside a {@code String}, so that a text is hashed without a copy. With
 * a copy, queries of texts take up to twice as long.
 *
 * <p>Up to Java 23, this class uses {@code sun.misc.Unsafe} of the module {@code jdk.unsupported},
 * through method handles. Later versions of Java warn about {@code Unsafe} and will remove it, so
 * this class does not use it there, nor in a native image, nor on Android. Where it is not used or
 * not available, {@link #latin1} always returns null, and callers copy the text.
 */
public final class JdkInternals {

  private static final int FIRST_VERSION = 17;
  private static final int LAST_VERSION_WITHOUT_WARNING = 23;

  private static final byte LATIN_1 = 0;

  /** A function from a string to the array that holds its characters; null if not available. */
  private static final @Nullable MethodHandle BYTES;

  /**
   * A function from a string to its coder, which is {@link #LATIN_1} if each character takes one
   * byte.
   */
  private static final @Nullable MethodHandle CODER;

  static {
    MethodHandle bytes = null;
    MethodHandle coder = null;
    try {
      int version = version();
      if (version >= FIRST_VERSION && version <= LAST_VERSION_WITHOUT_WARNING && !isNativeImage()) {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field instance = type.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        Object unsafe = instance.get(null);
        coder = fieldGetter(unsafe, "getByte", String.class.getDeclaredField("coder"));
        bytes = fieldGetter(unsafe, "getObject", String.class.getDeclaredField("value"));
        if (!areStringsAsExpected(bytes, coder)) {
          bytes = null;
        }
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      bytes = null; // absent or inaccessible: latin1 returns null
    }
    BYTES = bytes;
    CODER = coder;
  }

  private JdkInternals() {}

  /**
   * Returns the version of Java, such as 17, or 0 on Android, which lacks {@code
   * Runtime.version()}.
   */
  public static int version() {
    return Integer.getInteger("java.specification.version", 0); // "0.9" on Android
  }

  /**
   * Returns whether this runs in a native image. Such an image may contain field offsets of the
   * build machine, and its method handles are slow.
   */
  static boolean isNativeImage() {
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

  /**
   * Returns whether strings have the layout that they have had since Java 9, with compact strings
   * enabled.
   */
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
   * Returns the characters of a text, one byte each. The array is that of the string itself: it
   * must not be modified, nor passed to code that might modify it.
   *
   * @return the array, or null if there are characters beyond Latin-1 or the array is not
   *     accessible
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
