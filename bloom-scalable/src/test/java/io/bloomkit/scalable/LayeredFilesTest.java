package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters that were read go on as those that were written. */
class LayeredFilesTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  @TempDir private Path directory;

  private static ScalableBloomFilter.Builder<Long> growing(int seed) {
    ScalableBloomFilter.Builder<Long> builder =
        ScalableBloomFilter.builder(LONGS)
            .expecting(30, 0.05)
            .growthFactor(seed % 2 == 0 ? 2 : 1)
            .tighteningRatio(seed % 4 < 2 ? 0.85 : 0.95);
    return seed % 5 == 0 ? builder.concurrent() : builder;
  }

  @Test
  void growingFilterGoesOnAsTheOneThatWasWritten() throws IOException {
    for (int seed : new int[] {0, 1, 2, 3, 4, 5, 10, 15}) {
      growsOnAlike(seed);
    }
  }

  private static void growsOnAlike(int seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    ScalableBloomFilter<Long> filter = growing(seed).build();
    for (int round = 0; round < 8; round++) {
      ScalableBloomFilter.Builder<Long> reader = ScalableBloomFilter.builder(LONGS);
      byte[] bytes = filter.toBytes();
      ScalableBloomFilter<Long> read =
          (seed % 5 == 0 ? reader.concurrent() : reader).fromBytes(bytes);
      assertArrayEquals(bytes, read.toBytes());
      assertEquals(filter.layers(), read.layers());
      for (int i = 0; i < 60; i++) {
        long element = random.nextInt(400);
        assertEquals(filter.mightContain(element), read.mightContain(element));
        assertEquals(filter.add(element), read.add(element));
      }
      assertEquals(filter.layers(), read.layers());
      assertEquals(filter.elementCount(), read.elementCount());
      assertArrayEquals(filter.toBytes(), read.toBytes());
      filter = read;
    }
    assertTrue(filter.layerCount() > 2);
  }

  @Test
  void filtersAreReadFromFiles() throws IOException {
    Path file = directory.resolve("filter.bloom");
    ScalableBloomFilter<Long> growing = growing(1).build();
    LongStream.range(0, 100).forEach(growing::add);
    growing.writeTo(file);
    assertEquals(growing.layers(), ScalableBloomFilter.readFrom(file, LONGS).layers());
  }

  @Test
  void filterOfOneWriterIsReadForManyWithinItsBound() throws IOException {
    ScalableBloomFilter<Long> single =
        ScalableBloomFilter.builder(LONGS).expecting(2000, 0.01).<Long>build();
    LongStream.range(0, 1800).forEach(single::add);
    ScalableBloomFilter<Long> shared =
        ScalableBloomFilter.builder(LONGS).concurrent().fromBytes(single.toBytes());
    assertEquals(single.layerCount(), shared.layerCount());
    shared.add(5000L); // the first layer has no room for 256 threads any more
    assertEquals(single.layerCount() + 1, shared.layerCount());
    LongStream.range(10_000, 20_000).forEach(shared::add);
    assertTrue(shared.expectedFpp() <= 0.01);
    byte[] bytes = shared.toBytes();
    ScalableBloomFilter<Long> again =
        ScalableBloomFilter.builder(LONGS).concurrent().fromBytes(bytes);
    assertArrayEquals(bytes, again.toBytes());
    assertArrayEquals(bytes, ScalableBloomFilter.fromBytes(bytes, LONGS).toBytes());
  }

  @Test
  void filterReadForManyOrForOneIsWrittenAsItWas() throws IOException {
    for (int elements : new int[] {0, 10, 90, 130, 3000}) {
      ScalableBloomFilter.Builder<Long> builder =
          ScalableBloomFilter.builder(LONGS).expecting(100, 0.01);
      ScalableBloomFilter<Long> single = builder.build();
      LongStream.range(0, elements).forEach(single::add);
      byte[] bytes = single.toBytes();
      ScalableBloomFilter<Long> shared = assertWrittenAsItWas(bytes);
      assertArrayEquals(bytes, shared.copy().toBytes());
      // When it has grown for many threads, its file says so.
      LongStream.range(10_000, 20_000).forEach(shared::add);
      assertTrue(maxWriters(shared.toBytes()) > 1);
      assertWrittenAsItWas(shared.toBytes());
      shared.clear();
      assertWrittenAsItWas(shared.toBytes());
      assertWrittenAsItWas(builder.concurrent().build().toBytes());
    }
  }

  /** The format allows any number of additions at once, also fewer than a concurrent filter has. */
  @Test
  void filterForFewThreadsGrowsForManyAndIsReadAgain() throws IOException {
    GrowthPlan plan = GrowthPlan.ofDefaults().withSize(2000, 0.01).withMaxWriters(10);
    ScalableBloomFilter<Long> few = new ScalableBloomFilter<>(LONGS, plan, false);
    LongStream.range(0, 1000).forEach(few::add);
    ScalableBloomFilter<Long> many = assertWrittenAsItWas(few.toBytes());
    assertEquals(1, many.layerCount());
    for (long element = 1000; many.layerCount() < 3; element++) {
      many.add(element);
    }
    byte[] bytes = many.toBytes();
    assertEquals(256, maxWriters(bytes));
    assertEquals(
        List.of(10, 256, 256),
        many.layerList().stream().map(layer -> layer.plan.plannedMaxWriters()).toList());
    ScalableBloomFilter<Long> again = assertWrittenAsItWas(bytes);
    assertEquals(many.layers(), again.layers());
    assertTrue(again.expectedFpp() <= 0.01);
  }

  /** More threads than it has room for fill a layer of one writer beyond what one would. */
  @Test
  void layerOfOneWriterFilledByTooManyThreadsIsReadAgain() throws IOException {
    GrowthPlan plan = GrowthPlan.ofDefaults().withSize(1000, 0.01);
    Layer<Long> layer = Layer.of(LONGS, plan.layer(0), true);
    for (long i = 0; layer.fill() <= layer.plan.maxFill(); i++) {
      layer.addHash(LONGS.hash(i));
    }
    Layer<Long>[] layers = Layer.newArray(1);
    layers[0] = layer.withMaxWriters(256);
    ScalableBloomFilter<Long> filter =
        new ScalableBloomFilter<>(
            LONGS, plan.withMaxWriters(256), 1, true, layers, OptionalLong.empty());
    assertEquals(256, maxWriters(assertWrittenAsItWas(filter.toBytes()).toBytes()));
  }

  private static long maxWriters(byte[] file) throws FilterFormatException {
    return FilterReader.fromBytes(file, FilterContents::read).header().field(5);
  }

  private static ScalableBloomFilter<Long> assertWrittenAsItWas(byte[] bytes) throws IOException {
    assertArrayEquals(bytes, ScalableBloomFilter.fromBytes(bytes, LONGS).toBytes());
    ScalableBloomFilter<Long> shared =
        ScalableBloomFilter.builder(LONGS).concurrent().fromBytes(bytes);
    assertArrayEquals(bytes, shared.toBytes());
    return shared;
  }

  @Test
  void filterOfOneWriterReadForManyKeepsItsBoundWhenItIsCleared() throws IOException {
    ScalableBloomFilter<Long> single = ScalableBloomFilter.create(LONGS, 2000, 0.01);
    byte[] empty = single.toBytes();
    LongStream.range(0, 5000).forEach(single::add);
    ScalableBloomFilter<Long> cleared =
        ScalableBloomFilter.builder(LONGS).concurrent().fromBytes(single.toBytes());
    assertTrue(cleared.layerCount() > 1);
    cleared.clear();
    ScalableBloomFilter<Long> fresh =
        ScalableBloomFilter.builder(LONGS).concurrent().fromBytes(empty);
    LongStream.range(0, 3000).forEach(fresh::add);
    LongStream.range(0, 3000).forEach(cleared::add);
    assertEquals(fresh.layers(), cleared.layers());
  }

  @Test
  void sizeThatWasGivenMustBeThatOfTheFilter() throws IOException {
    byte[] growing = ScalableBloomFilter.create(LONGS, 50, 0.1).toBytes();
    ScalableBloomFilter.builder(LONGS).expecting(50, 0.1).concurrent().fromBytes(growing);
    assertWrong(
        "initialCapacity 51",
        () -> ScalableBloomFilter.builder(LONGS).expecting(51, 0.1).fromBytes(growing));
    assertWrong(
        "fpp 0.2", () -> ScalableBloomFilter.builder(LONGS).expecting(50, 0.2).fromBytes(growing));
    assertWrong(
        "growthFactor 3.0",
        () ->
            ScalableBloomFilter.builder(LONGS)
                .expecting(50, 0.1)
                .growthFactor(3)
                .fromBytes(growing));
    assertWrong(
        "tighteningRatio 0.5",
        () ->
            ScalableBloomFilter.builder(LONGS)
                .expecting(50, 0.1)
                .tighteningRatio(0.5)
                .fromBytes(growing));
  }

  @Test
  void plansThatTakeLongAreFoundWrongSoon() {
    byte[] file = ScalableBloomFilter.create(LONGS, 20, 0.1).toBytes();
    ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    for (long capacity : new long[] {1, 1 << 20, 1L << 40, Long.MAX_VALUE}) {
      for (double fpp : new double[] {Double.MIN_VALUE, 1e-9, 0.5, Math.nextDown(1.0)}) {
        for (double ratio : new double[] {Double.MIN_VALUE, 0.5, Math.nextDown(1.0)}) {
          header.putLong(56, capacity);
          header.putDouble(64, fpp);
          header.putDouble(80, ratio);
          signHeader(file);
          assertTimeoutPreemptively(Duration.ofSeconds(20), () -> readOrRefuse(file));
        }
      }
    }
  }

  /** Else the next layer would be as large as the plan says, and not as the layers before. */
  @Test
  void layersSmallerThanTheirPlanAreRefused() throws IOException {
    ScalableBloomFilter<Long> filter =
        ScalableBloomFilter.builder(LONGS).expecting(1, 0.01).growthFactor(1).build();
    LongStream.range(0, 20).forEach(filter::add);
    byte[] file = filter.toBytes();
    assertEquals(filter.layerCount(), ScalableBloomFilter.fromBytes(file, LONGS).layerCount());
    ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(1.0, header.getDouble(72)); // the growth factor
    header.putDouble(72, 100);
    signHeader(file);
    assertWrong("would not take 1 elements", () -> ScalableBloomFilter.fromBytes(file, LONGS));
  }

  @Test
  void layerThatIsFullWhileEmptyIsRefused() throws IOException {
    byte[] file = ScalableBloomFilter.create(LONGS, 20, 0.01).toBytes();
    ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(0.01, header.getDouble(64)); // the rate of the whole
    header.putDouble(64, 1e-15);
    signHeader(file);
    assertWrong("no room", () -> ScalableBloomFilter.fromBytes(file, LONGS));
  }

  private static void signHeader(byte[] file) {
    ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int end = header.getInt(12) - 4;
    CRC32C crc = new CRC32C();
    crc.update(file, 0, end);
    header.putInt(end, (int) crc.getValue());
  }

  /** A plan of another filter may give the first layer the same size. */
  private static void readOrRefuse(byte[] file) {
    try {
      assertEquals(1, ScalableBloomFilter.fromBytes(file, LONGS).layerCount());
    } catch (FilterFormatException e) {
      assertTrue(e.offset() > 0);
    }
  }

  private interface Reading {
    Object read() throws IOException;
  }

  private static void assertWrong(String part, Reading reading) {
    FilterFormatException e = assertThrows(FilterFormatException.class, reading::read);
    assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
  }
}
