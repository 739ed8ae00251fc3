package io.bloomkit.classic;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.formattests.FileFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.LongStream;

class ClassicBloomFilterFilesTest implements FileFormatContract<ClassicBloomFilter<Long>> {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();

  private static ClassicBloomFilter<Long> filter(FlatShape shape, int elements) {
    ClassicBloomFilter<Long> filter = ClassicBloomFilter.builder(LONGS).shape(shape).build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static ClassicBloomFilter<Long> ofUnknownCount() {
    ClassicBloomFilter<Long> filter = filter(new FlatShape(1000, 5), 90);
    filter.intersect(filter(new FlatShape(1000, 5), 120));
    return filter;
  }

  @Override
  public List<GoldenFile<ClassicBloomFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "classic-empty.bloom",
            "aae7f9b9e80ab03e2e44f2812417fab70709056599ae1bb74a4c96f2ff587fb5",
            filter(new FlatShape(9585, 7), 0)),
        new GoldenFile<>(
            "classic-one.bloom",
            "d5df333a322d7e1d64494813fbe9f3219f62163f945b1282ab86e16ada7f788c",
            filter(new FlatShape(9585, 7), 1)),
        new GoldenFile<>(
            "classic-sparse.bloom",
            "684de7c23db301dd2a291abf04ddd1f062dfcc428f7148176638fc3c8a5d4900",
            filter(new FlatShape(20_000, 7), 40)),
        new GoldenFile<>(
            "classic-planned.bloom",
            "2a326ae35ca456f6ffc31d5874958c56355f5346800bd549ae5e00f151685e44",
            filter(new FlatShape(2000, 7), 200)),
        new GoldenFile<>(
            "classic-tiny.bloom",
            "499d4aaabf90b820d7335a2144782b54225d5f8effd93ed3cb6a3a37ae5337a2",
            filter(new FlatShape(1, 1), 3)),
        new GoldenFile<>(
            "classic-unknown-count.bloom",
            "cdd3116165e9909079f5083bd66385b2f0cd5a783247ae9cd55d3e06f0e99e31",
            ofUnknownCount()));
  }

  @Override
  public List<ClassicBloomFilter<Long>> largeFilters() {
    FlatShape shape = new FlatShape(50_000_001, 7);
    return List.of(filter(shape, 0), filter(shape, 71_000), filter(shape, 3_000_000));
  }

  @Override
  public ClassicBloomFilter<Long> readFrom(InputStream in) throws IOException {
    return ClassicBloomFilter.readFrom(in, LONGS);
  }

  @Override
  public ClassicBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return ClassicBloomFilter.fromBytes(bytes, LONGS);
  }
}
