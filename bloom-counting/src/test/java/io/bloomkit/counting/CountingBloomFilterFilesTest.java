package io.bloomkit.counting;

import io.bloomkit.Shape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.file.FileFormatContract;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.LongStream;

class CountingBloomFilterFilesTest implements FileFormatContract<CountingBloomFilter<Long>> {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();

  private static CountingBloomFilter<Long> filter(Shape shape, int elements) {
    CountingBloomFilter<Long> filter = CountingBloomFilter.builder(LONGS).shape(shape).build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static CountingBloomFilter<Long> overflowed() {
    CountingBloomFilter<Long> filter = filter(new Shape(1003, 5), 0);
    for (int i = 0; i < 20; i++) {
      filter.add(3L);
      filter.add(5L);
    }
    for (int doublings = 0; doublings < 40; doublings++) {
      filter.merge(filter);
    }
    LongStream.range(0, 100).forEach(filter::add);
    for (int i = 0; i < 30; i++) {
      filter.add(7L);
    }
    filter.remove(3L);
    return filter;
  }

  @Override
  public List<GoldenFile<CountingBloomFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "counting-empty.bloom",
            "1ed7c16132eee9ed0e4642c8c8e53a9ffcda9be8e92f6ce989aeea1cad72cb8b",
            filter(new Shape(2000, 7), 0)),
        new GoldenFile<>(
            "counting-one.bloom",
            "cfb003c64cb62ec80007aa9e5d6f421d7e2104171447fd81c8e9affaf434726e",
            filter(new Shape(2000, 7), 1)),
        new GoldenFile<>(
            "counting-sparse.bloom",
            "7153965d3b67bb1dc9375f8987fec7ef3a7e857bbd7c30216c628cd9d05d6916",
            filter(new Shape(6000, 5), 60)),
        new GoldenFile<>(
            "counting-planned.bloom",
            "7518c4d751d6e281cb366830550b65e12a3df8acf86c594f1ced91f5c4c886ad",
            filter(new Shape(999, 7), 100)),
        new GoldenFile<>(
            "counting-overflowed.bloom",
            "bcf96788fd1a100c015f1b706b39970ade10ed643fc1b5feea67254f5f7b1419",
            overflowed()));
  }

  @Override
  public List<CountingBloomFilter<Long>> largeFilters() {
    CountingBloomFilter<Long> overflowed = filter(new Shape(500_000, 7), 40_000);
    for (int doublings = 0; doublings < 5; doublings++) {
      overflowed.merge(overflowed);
    }
    Shape shape = new Shape(10_000_001, 7);
    return List.of(filter(shape, 0), filter(shape, 50_000), filter(shape, 600_000), overflowed);
  }

  @Override
  public CountingBloomFilter<Long> readFrom(InputStream in) throws IOException {
    return CountingBloomFilter.readFrom(in, LONGS);
  }

  @Override
  public CountingBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return CountingBloomFilter.fromBytes(bytes, LONGS);
  }
}
