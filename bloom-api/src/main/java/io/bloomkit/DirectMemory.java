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
 * Memory that mapped buffers hold, read by its address: what {@link LongSegment} is from Java 22
 * on, before it. The checks of a buffer cost a query of several positions half of its time again
 * (docs/performance.md); who reads by address makes the one check that is needed.
 *
 * <p>It is {@code sun.misc.Unsafe} of the module {@code jdk.unsupported}, reached by handles, since
 * later Javas warn of it and will drop it. Where it is missing, buffers are read as buffers.
 */
final class DirectMemory {

  private static final int FIRST_VERSION_WITH_SEGMENTS = 22;

  /** Takes a buffer and gives its address; null where addresses cannot be had. */
  private static final @Nullable MethodHandle ADDRESS;

  /** Takes an address and gives the eight bytes there; null where addresses cannot be had. */
  private static final @Nullable MethodHandle GET;

  static {
    MethodHandle address = null;
    MethodHandle get = null;
    if (Runtime.version().feature() < FIRST_VERSION_WITH_SEGMENTS
        && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
      try {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        get = getHandle(type, unsafe);
        address = addressHandle(type, unsafe);
      } catch (ReflectiveOperationException | RuntimeException e) {
        address = null; // a Java, or an application of modules, without it: buffers do as well
      }
    }
    ADDRESS = address;
    GET = get;
  }

  private DirectMemory() {}

  private static MethodHandle getHandle(Class<?> type, Object unsafe)
      throws ReflectiveOperationException {
    return MethodHandles.publicLookup()
        .findVirtual(type, "getLong", MethodType.methodType(long.class, long.class))
        .bindTo(unsafe);
  }

  private static MethodHandle addressHandle(Class<?> type, Object unsafe)
      throws ReflectiveOperationException {
    Object offset =
        type.getMethod("objectFieldOffset", Field.class)
            .invoke(unsafe, Buffer.class.getDeclaredField("address"));
    MethodType field = MethodType.methodType(long.class, Object.class, long.class);
    MethodHandle get = MethodHandles.publicLookup().findVirtual(type, "getLong", field);
    return MethodHandles.insertArguments(get.bindTo(unsafe), 1, offset);
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
   * @param address from {@link #addresses}, and more by less than the buffer is long
   */
  static long get(long address) {
    try {
      return (long) Objects.requireNonNull(GET).invokeExact(address);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("reading memory throws nothing else", e);
    }
  }
}
