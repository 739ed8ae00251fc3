package io.bloomkit.cli;

import io.bloomkit.BlockedShape;
import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.HashBatches;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.BitFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.classic.MappedFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CounterFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.cuckoo.CuckooShape;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.DynamicCuckooShape;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.cuckoo.FingerprintVisitor;
import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.FilterFile;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterLayout.CacheLines;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.format.StoredFilter;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.CompositeBuilder;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.interop.InteropFilter;
import io.bloomkit.interop.dcso.DcsoBloomFilter;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.GuavaFunnel;
import io.bloomkit.interop.guava.MappedGuavaFilter;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetShape;
import io.bloomkit.interop.parquet.ParquetStrategies;
import io.bloomkit.interop.spark.SparkBloomFilter;
import io.bloomkit.interop.spark.SparkType;
import io.bloomkit.interop.spark.SparkVersion;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A valid value of every type in the public API, made anew each time. */
final class ApiSamples {

  private static final HashStrategy<CharSequence> UTF_8 = HashStrategies.utf8();

  private final Map<Class<?>, Supplier<?>> suppliers = new HashMap<>();

  ApiSamples() {
    put(boolean.class, () -> false);
    put(int.class, () -> 1);
    put(long.class, () -> 1L);
    put(double.class, () -> 0.5);
    put(Object.class, () -> "a");
    put(NullArgumentsTest.Careless.class, NullArgumentsTest.Careless::new);
    put(String.class, () -> "a");
    put(CharSequence.class, () -> "a");
    put(Long.class, () -> 1L);
    put(Charset.class, () -> StandardCharsets.UTF_8);
    put(Duration.class, () -> Duration.ofMinutes(1));
    put(InstantSource.class, InstantSource::system);
    put(Optional.class, Optional::empty);
    put(OptionalLong.class, OptionalLong::empty);
    put(Iterable.class, () -> List.of("a"));
    put(List.class, List::of);
    put(Map.class, Map::of);
    put(ByteBuffer.class, () -> ByteBuffer.allocate(1));
    put(InputStream.class, () -> new ByteArrayInputStream(classic().toBytes()));
    put(OutputStream.class, ByteArrayOutputStream::new);
    put(Path.class, () -> file("absent"));
    putHashes();
    putFormat();
    putFilters();
  }

  /** Makes the values of a type from now on. */
  <T> void put(Class<T> type, Supplier<? extends T> supplier) {
    suppliers.put(type, supplier);
  }

  private void putHashes() {
    put(HashStrategy.class, () -> UTF_8);
    put(BytesHashStrategy.class, HashStrategies::bytes);
    put(LongHashStrategy.class, HashStrategies::longs);
    put(CompositeBuilder.class, HashStrategies::composite);
    put(StrategyIdentity.class, () -> StrategyIdentity.of(UTF_8));
  }

  private void putFormat() {
    put(FilterKind.class, () -> ClassicBloomFilter.KIND);
    put(InteropFilter.class, () -> DcsoBloomFilter.create(10, 0.01));
    put(FilterLayout.class, () -> ClassicBloomFilter.KIND.layout(10, 0.01));
    put(CacheLines.class, () -> new CacheLines(1, 1, 1, 1, 1));
    put(Delta.class, () -> Delta.between(classic(), classic()));
    put(FilterFile.class, ApiSamples::inspected);
    put(HashBatches.class, () -> HashBatches.adding(classic()));
    put(StoredFilter.class, ApiSamples::stored);
    put(FilterFormatException.class, () -> new FilterFormatException(1, "a"));
  }

  private void putFilters() {
    put(FilterEstimate.class, () -> classic().estimate());
    put(FilterEstimate.Value.class, () -> FilterEstimate.Value.exact(1));
    put(Shape.class, () -> Shape.of(10, 0.01));
    put(FlatShape.class, () -> Shape.of(10, 0.01));
    put(BlockedShape.class, () -> BlockedShape.ofBits(10, 0.01));
    put(CuckooShape.class, () -> CuckooShape.of(10, 0.01));
    put(MembershipFilter.class, ApiSamples::classic);
    put(InsertableFilter.class, ApiSamples::classic);
    put(MergeableFilter.class, ApiSamples::classic);
    put(StorableFilter.class, ApiSamples::classic);
    put(BitFilter.class, ApiSamples::classic);
    put(FilterBuilder.class, () -> ClassicBloomFilter.builder(UTF_8).expecting(9, .1));
    put(FilterBuilder.OfDeletable.class, () -> CountingBloomFilter.builder(UTF_8).expecting(9, .1));
    put(ClassicBloomFilter.class, ApiSamples::classic);
    put(ClassicBloomFilter.Builder.class, () -> ClassicBloomFilter.builder(UTF_8).expecting(9, .1));
    put(FilterBuilder.class, () -> ClassicBloomFilter.builder(UTF_8).expecting(9, .1));
    put(FilterBuilder.OfDeletable.class, () -> CuckooFilter.builder(UTF_8).expecting(9, .1));
    put(BlockedBloomFilter.class, () -> BlockedBloomFilter.create(UTF_8, 10, 0.01));
    put(BlockedBloomFilter.Builder.class, () -> BlockedBloomFilter.builder(UTF_8).expecting(9, .1));
    put(MappedFilter.class, ApiSamples::mapped);
    put(GuavaFunnel.class, () -> GuavaFunnel.strings(StandardCharsets.UTF_8));
    put(
        GuavaBloomFilter.class,
        () -> GuavaBloomFilter.create(GuavaFunnel.strings(StandardCharsets.UTF_8), 10, 0.01));
    put(MappedGuavaFilter.class, ApiSamples::mappedGuava);
    put(
        ParquetBloomFilter.class,
        () -> ParquetBloomFilter.create(ParquetStrategies.utf8(), 10, 0.01));
    put(ParquetShape.class, () -> ParquetShape.of(10, 0.01));
    put(
        SparkBloomFilter.class,
        () -> SparkBloomFilter.create(SparkVersion.V2, SparkType.strings(), 10, 0.01));
    put(DcsoBloomFilter.class, () -> DcsoBloomFilter.create(10, 0.01));
    put(SparkType.class, SparkType::strings);
    put(DeletableFilter.class, ApiSamples::counting);
    put(CounterFilter.class, ApiSamples::counting);
    put(CountingBloomFilter.class, ApiSamples::counting);
    put(
        CountingBloomFilter.Builder.class,
        () -> CountingBloomFilter.builder(UTF_8).expecting(9, .1));
    put(BlockedCountingBloomFilter.class, () -> BlockedCountingBloomFilter.create(UTF_8, 10, 0.01));
    put(
        BlockedCountingBloomFilter.Builder.class,
        () -> BlockedCountingBloomFilter.builder(UTF_8).expecting(9, .1));
    put(CuckooFilter.class, () -> CuckooFilter.create(UTF_8, 10, 0.01));
    put(CuckooFilter.Builder.class, () -> CuckooFilter.builder(UTF_8).expecting(9, .1));
    put(DynamicCuckooShape.class, () -> DynamicCuckooShape.of(10, 0.01));
    put(DynamicCuckooFilter.class, () -> DynamicCuckooFilter.create(UTF_8, 10, 0.01));
    put(
        DynamicCuckooFilter.Builder.class,
        () -> DynamicCuckooFilter.builder(UTF_8).expecting(9, .1));
    put(
        ExpiringCuckooFilter.class,
        () -> ExpiringCuckooFilter.create(UTF_8, 10, 0.01, Duration.ofHours(1)));
    put(
        ExpiringCuckooFilter.Builder.class,
        () ->
            ExpiringCuckooFilter.builder(UTF_8)
                .expecting(9, .1)
                .expireAfterAdd(Duration.ofHours(1)));
    put(FingerprintVisitor.class, () -> (fingerprint, copies) -> {});
    put(ScalableBloomFilter.class, () -> ScalableBloomFilter.create(UTF_8, 10, 0.01));
    put(
        ScalableBloomFilter.Builder.class,
        () -> ScalableBloomFilter.builder(UTF_8).expecting(9, .1));
    put(
        ScalableBloomFilter.LayerState.class,
        () -> ScalableBloomFilter.create(UTF_8, 10, 0.01).layers().get(0));
  }

  private static ClassicBloomFilter<String> classic() {
    return ClassicBloomFilter.create(UTF_8, 10, 0.01);
  }

  private static CountingBloomFilter<String> counting() {
    return CountingBloomFilter.create(UTF_8, 10, 0.01);
  }

  private static Path mappable() throws IOException {
    Path file = file("mappable");
    classic().writeMappableTo(file);
    return file;
  }

  private static FilterFile inspected() {
    try {
      return FilterFile.inspect(classic().toBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StoredFilter stored() {
    try {
      return StoredFilter.readFrom(new ByteArrayInputStream(classic().toBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MappedFilter<String> mapped() {
    try {
      return ClassicBloomFilter.openMapped(mappable(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MappedGuavaFilter<CharSequence> mappedGuava() {
    try {
      Path file = file("guava");
      GuavaFunnel<CharSequence> funnel = GuavaFunnel.strings(StandardCharsets.UTF_8);
      GuavaBloomFilter.create(funnel, 10, 0.01).writeTo(file);
      return GuavaBloomFilter.openMapped(file, funnel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path file(String name) {
    try {
      Path folder = Files.createTempDirectory("bloomkit");
      folder.toFile().deleteOnExit();
      return folder.resolve(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a value of a type. */
  Object of(Class<?> type) {
    Supplier<?> supplier = suppliers.get(type);
    if (supplier != null) {
      return supplier.get();
    }
    if (type.isArray()) {
      Object array = Array.newInstance(type.getComponentType(), 1);
      if (!type.getComponentType().isPrimitive()) {
        Array.set(array, 0, of(type.getComponentType()));
      }
      return array;
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isInterface()) {
      return Proxy.newProxyInstance(
          ApiSamples.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> null);
    }
    throw new AssertionError("there is no sample of " + type.getName() + ": add one");
  }
}
