package io.bloomkit.internal;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Maps a part of a file of any length as a single {@code MemorySegment}, which exists since Java
 * 22. This library is compiled for Java 17, so it calls the methods of {@code MemorySegment} by
 * method handles, which the JIT compiler inlines. In a native image and on Android, {@link #map}
 * always returns null.
 */
public final class LongSegment {

  private static final int FIRST_VERSION = 22;

  /**
   * A function from channel, mode, offset and length to a segment; null if Java has no segments.
   */
  private static final @Nullable MethodHandle MAP;

  /** A function from a segment and an offset in bytes to a word; null if Java has no segments. */
  private static final @Nullable MethodHandle GET;

  static {
    MethodHandle map = null;
    MethodHandle get = null;
    if (JdkInternals.version() >= FIRST_VERSION && !JdkInternals.isNativeImage()) {
      try {
        get = getHandle();
        map = mapHandle();
      } catch (ReflectiveOperationException e) {
        map = null; // classes cannot be looked up by name; mapped parts work as well
      }
    }
    MAP = map;
    GET = get;
  }

  private LongSegment() {}

  private static MethodHandle mapHandle() throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    Class<?> arena = Class.forName("java.lang.foreign.Arena");
    Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
    MethodType type =
        MethodType.methodType(segment, FileChannel.MapMode.class, long.class, long.class, arena);
    MethodHandle map = lookup.findVirtual(FileChannel.class, "map", type);
    // One arena per segment, so that the garbage collector unmaps each segment separately.
    MethodHandle newArena = lookup.findStatic(arena, "ofAuto", MethodType.methodType(arena));
    return MethodHandles.collectArguments(map, map.type().parameterCount() - 1, newArena)
        .asType(
            MethodType.methodType(
                Object.class,
                FileChannel.class,
                FileChannel.MapMode.class,
                long.class,
                long.class));
  }

  private static MethodHandle getHandle() throws ReflectiveOperationException {
    Class<?> longs = Class.forName("java.lang.foreign.ValueLayout$OfLong");
    Object layout =
        Class.forName("java.lang.foreign.ValueLayout").getField("JAVA_LONG_UNALIGNED").get(null);
    Object littleEndian =
        longs.getMethod("withOrder", ByteOrder.class).invoke(layout, ByteOrder.LITTLE_ENDIAN);
    VarHandle words = (VarHandle) longs.getMethod("varHandle").invoke(littleEndian);
    return words
        .toMethodHandle(VarHandle.AccessMode.GET)
        .asType(MethodType.methodType(long.class, Object.class, long.class));
  }

  /**
   * Maps a part of a file, read-only.
   *
   * @param offset the index of the first byte of the part in the file
   * @param bytes the length of the part
   * @return the segment, or null if Java or the file system of the channel does not support
   *     segments
   * @throws IOException if the file cannot be mapped
   */
  public static @Nullable Object map(FileChannel channel, long offset, long bytes)
      throws IOException {
    if (MAP == null) {
      return null;
    }
    try {
      return (Object) MAP.invokeExact(channel, FileChannel.MapMode.READ_ONLY, offset, bytes);
    } catch (UnsupportedOperationException e) {
      return null; // a file system that maps only buffers
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("mapping throws nothing else", e);
    }
  }

  /**
   * Returns a little-endian word of a segment.
   *
   * @param segment a result of {@link #map} that is not null
   * @param index the index of the word, from 0; the word begins at byte 8 · index of the segment
   * @throws IndexOutOfBoundsException if there is no such word
   */
  public static long get(Object segment, long index) {
    try {
      return (long) Objects.requireNonNull(GET).invokeExact(segment, index * Long.BYTES);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("reading a word throws nothing else", e);
    }
  }
}
