package io.bloomkit.classic;

import io.bloomkit.Shape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.file.FileFormatContract;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.LongStream;

class ClassicBloomFilterFilesTest implements FileFormatContract<ClassicBloomFilter<Long>> {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();

  private static ClassicBloomFilter<Long> filter(Shape shape, int elements) {
    ClassicBloomFilter<Long> filter = ClassicBloomFilter.builder(LONGS).shape(shape).build();
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static ClassicBloomFilter<Long> ofUnknownCount() {
    ClassicBloomFilter<Long> filter = filter(new Shape(1000, 5), 90);
    filter.intersect(filter(new Shape(1000, 5), 120));
    return filter;
  }

  @Override
  public List<GoldenFile<ClassicBloomFilter<Long>>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "classic-empty.bloom",
            "ef72b01ee14cfb1329b8e1ab233a1ac5164d5cf8496943729791fbd4293af196",
            filter(new Shape(9585, 7), 0)),
        new GoldenFile<>(
            "classic-one.bloom",
            "5aad86cd4d0f35e837a76ccb9dddc0a513531ddeea54c8cf82659f9d256e08c8",
            filter(new Shape(9585, 7), 1)),
        new GoldenFile<>(
            "classic-sparse.bloom",
            "fa7046ad3d5bfec56257da63d932d42e682b96e7d27e14668d1c7fdb4aebbf86",
            filter(new Shape(20_000, 7), 40)),
        new GoldenFile<>(
            "classic-planned.bloom",
            "7c154de4c4bafe743fb965b51c9a8e89654ecd75789f8cbc57b88f125fd970bd",
            filter(new Shape(2000, 7), 200)),
        new GoldenFile<>(
            "classic-tiny.bloom",
            "bf875c9587ef12b5f270373a489ff0b83368813989dd32aefb8294323d6472d4",
            filter(new Shape(1, 1), 3)),
        new GoldenFile<>(
            "classic-unknown-count.bloom",
            "223cfb7c5d014dfc0845573cf6b913bf9d7fd43afefad28af4bf2d266062230c",
            ofUnknownCount()));
  }

  @Override
  public List<ClassicBloomFilter<Long>> largeFilters() {
    Shape shape = new Shape(50_000_001, 7);
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
