package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Files of aging filters with one number of the header changed and its checksum right. */
class ForgedAgingTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final AgingShape SHAPE = new AgingShape(4, 5, 64, 20);

  private static final int ELEMENT_COUNT = 40;
  private static final int FIELDS = 48;
  private static final int GENERATION = FIELDS + 8 * 5;
  private static final int ADDITIONS = FIELDS + 8 * 6;
  private static final int START = FIELDS + 8 * 7;

  /** In its third generation, five additions old. */
  private static byte[] byCount() {
    AgingBloomFilter<Long> filter = AgingBloomFilter.builder(LONGS).shape(SHAPE).build();
    LongStream.range(0, 45).forEach(filter::add);
    byte[] file = filter.toBytes();
    assertEquals(2, ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(GENERATION));
    assertEquals(5, ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(ADDITIONS));
    return file;
  }

  private static byte[] byTime() {
    AgingBloomFilter<Long> filter =
        AgingBloomFilter.builder(LONGS)
            .shape(SHAPE, Duration.ofSeconds(1))
            .clock(new HandClock(-5000))
            .build();
    LongStream.range(0, 45).forEach(filter::add);
    return filter.toBytes();
  }

  private static AgingBloomFilter<Long> with(byte[] file, int offset, long value)
      throws FilterFormatException {
    byte[] forged = file.clone();
    ByteBuffer buffer = ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putLong(offset, value);
    int end = buffer.getInt(12) - 4;
    CRC32C crc = new CRC32C();
    crc.update(forged, 0, end);
    buffer.putInt(end, (int) crc.getValue());
    return AgingBloomFilter.builder(LONGS).clock(new HandClock(-5000)).fromBytes(forged);
  }

  private static void assertRefused(String fault, byte[] file, int offset, long value) {
    String message =
        String.valueOf(
            assertThrows(FilterFormatException.class, () -> with(file, offset, value), fault)
                .getMessage());
    assertTrue(message.contains(fault), message);
  }

  @Test
  void cycleByCountMustBePossible() throws FilterFormatException {
    byte[] file = byCount();
    with(file, GENERATION, 2);
    assertRefused("the element count must be unknown", file, ELEMENT_COUNT, 45);
    assertRefused("generation must be in [0, ", file, GENERATION, -1);
    assertRefused("additions must be in [0, 20], got 21", file, ADDITIONS, 21);
    assertRefused("startMillis must be in [0, 0], got 1", file, START, 1);
    assertRefused("startMillis must be in [0, 0], got -1", file, START, -1);
    with(file, ADDITIONS, 20);
    assertRefused("the slice of age 0 must have ", file, ADDITIONS, 0);
    assertRefused("set bits, got", file, GENERATION, 0);
    assertRefused("set bits, got", file, GENERATION, 1);
  }

  @Test
  void cycleByTimeMustBePossible() throws FilterFormatException {
    byte[] file = byTime();
    with(file, ADDITIONS, 1000); // any number in a generation
    with(file, START, -5001);
    assertRefused("additions must be in [0, ", file, ADDITIONS, -1);
    assertRefused("the slice of age 0 must have ", file, ADDITIONS, 1);
  }

  @Test
  void otherKindsAndStrategiesAreRefused() {
    byte[] growing = ScalableBloomFilter.create(LONGS, 10, 0.1).toBytes();
    assertTrue(
        String.valueOf(
                assertThrows(
                        FilterFormatException.class,
                        () -> AgingBloomFilter.fromBytes(growing, LONGS))
                    .getMessage())
            .contains("this is a "));
    LongHashStrategy other = HashStrategies.seeded(LONGS, 1);
    assertThrows(FilterFormatException.class, () -> AgingBloomFilter.fromBytes(byCount(), other));
  }
}
