package io.bloomkit.formattests;

import com.sun.management.ThreadMXBean;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/**
 * A stream of given bytes that checks, at each read, how many bytes the reader has allocated for
 * the bytes delivered so far. Allocated bytes count even if they are freed.
 *
 * <p>For use by the thread that created it.
 */
final class MeteredStream extends InputStream {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final byte[] bytes;
  private final long endlessZeros;
  private final int maxAtOnce;
  private long delivered;
  private long worstExcess = Long.MIN_VALUE;
  private String worst = "";
  private final long allocatedBefore;

  /**
   * Creates a stream.
   *
   * @param bytes the bytes to deliver first
   * @param zeros the number of zeros that follow
   * @param maxAtOnce the largest number of bytes per read, at least 1
   */
  MeteredStream(byte[] bytes, long zeros, int maxAtOnce) {
    this.bytes = bytes;
    this.endlessZeros = zeros;
    this.maxAtOnce = maxAtOnce;
    this.allocatedBefore = allocated();
  }

  private static long allocated() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** Compares the bytes allocated so far with the bound for the bytes delivered so far. */
  void check() {
    long allocated = allocated() - allocatedBefore;
    long excess = allocated - (FileChecks.MEMORY_PER_BYTE * delivered + FileChecks.MEMORY_AT_ONCE);
    if (excess > worstExcess) {
      worstExcess = excess;
      if (excess > 0) {
        worst =
            String.format(Locale.ROOT, "%d bytes were taken for %d received", allocated, delivered);
      }
    }
  }

  /** Returns a description of the worst excess; empty if the bound was always kept. */
  String complaint() {
    return worst;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    check();
    int count =
        (int) Math.min(Math.min(length, maxAtOnce), bytes.length + endlessZeros - delivered);
    if (count <= 0 && length > 0) {
      return -1;
    }
    int fromBytes = (int) Math.max(0, Math.min(count, bytes.length - delivered));
    if (fromBytes > 0) {
      System.arraycopy(bytes, (int) delivered, target, offset, fromBytes);
    }
    Arrays.fill(target, offset + fromBytes, offset + count, (byte) 0);
    delivered += count;
    return count;
  }
}
