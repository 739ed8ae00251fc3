package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Memory by its address, where that is how it is read; MappedFileTest has a file of 2.5 GiB. */
class DirectMemoryTest {

  private static ByteBuffer outsideTheHeap(long... words) {
    ByteBuffer bytes =
        ByteBuffer.allocateDirect(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(words);
    return bytes;
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_21)
  void wordsOfBuffersAreReadByTheirAddress() {
    ByteBuffer one = outsideTheHeap(1, Long.MIN_VALUE + 7);
    ByteBuffer other = outsideTheHeap(-2);
    long[] addresses = DirectMemory.addresses(one, other);
    assertNotNull(addresses);
    assertEquals(2, addresses.length);
    try {
      assertEquals(1, DirectMemory.get(addresses[0]));
      assertEquals(Long.MIN_VALUE + 7, DirectMemory.get(addresses[0] + Long.BYTES));
      assertEquals(-2, DirectMemory.get(addresses[1]));
    } finally {
      Reference.reachabilityFence(List.of(one, other));
    }
  }

  @Test
  @EnabledForJreRange(minVersion = 22)
  void javasThatHaveSegmentsTellNoAddresses() {
    assertNull(DirectMemory.addresses(outsideTheHeap(1)));
  }

  @Test
  void buffersOnTheHeapHaveNoAddress() {
    assertNull(DirectMemory.addresses(outsideTheHeap(1), ByteBuffer.allocate(Long.BYTES)));
  }
}
