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
 * A part of a file that is mapped as a whole, of any length: Java's {@code MemorySegment}, since
 * 22. It is reached by handles, as this library is compiled for 17; the compiler of the virtual
 * machine sees through them (docs/lab/performance.md).
 */
public final class LongSegment {

  private static final int FIRST_VERSION = 22;

  /** Takes channel, mode, offset and length, and gives a segment; null where there are none. */
  private static final @Nullable MethodHandle MAP;

  /** Takes a segment and an offset in bytes, and gives a word; null where there are none. */
  private static final @Nullable MethodHandle GET;

  static {
    MethodHandle map = null;
    MethodHandle get = null;
    if (Runtime.version().feature() >= FIRST_VERSION) {
      try {
        get = getHandle();
        map = mapHandle();
      } catch (ReflectiveOperationException e) {
        map = null; // a Java whose classes cannot be looked up by name: parts do as well
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
    // An arena a segment, so that the collector gives the memory back segment by segment.
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
   * @return the segment, or null if this Java or this channel has none
   */
  public static @Nullable Object map(FileChannel channel, long offset, long bytes)
      throws IOException {
    if (MAP == null) {
      return null;
    }
    try {
      return (Object) MAP.invokeExact(channel, FileChannel.MapMode.READ_ONLY, offset, bytes);
    } catch (UnsupportedOperationException e) {
      return null; // a channel of a file system that has only buffers
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("mapping throws nothing else", e);
    }
  }

  /**
   * Returns a word of a segment.
   *
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
