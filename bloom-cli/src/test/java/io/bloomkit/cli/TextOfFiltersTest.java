package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKind.Trait;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.interop.dcso.DcsoBloomFilter;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.GuavaFunnel;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetStrategies;
import io.bloomkit.interop.spark.SparkBloomFilter;
import io.bloomkit.interop.spark.SparkType;
import io.bloomkit.interop.spark.SparkVersion;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The text of a filter, which a debugger takes at every step, reads no contents: it stays the same
 * when every array of the filter is overwritten behind its back.
 */
class TextOfFiltersTest {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();
  private static final int ELEMENTS = 10_000;

  @TempDir private Path directory;

  static Map<String, Object> filters() throws ReflectiveOperationException {
    Map<String, Object> filters = new LinkedHashMap<>();
    for (FilterKind kind : FilterKind.installed()) {
      filters.put(kind.label(), kind.create(LONGS, ELEMENTS, 0.01));
      boolean isAlways = kind == DynamicCuckooFilter.KIND || kind == ExpiringCuckooFilter.KIND;
      if (kind.is(Trait.CONCURRENT) && !isAlways) {
        filters.put("concurrent " + kind.label(), concurrent(kind));
      }
    }
    filters.put("parquet", ParquetBloomFilter.create(ParquetStrategies.int64(), 10_000, 0.01));
    filters.put("dcso", DcsoBloomFilter.create(10_000, 0.01));
    for (SparkVersion version : SparkVersion.values()) {
      filters.put(
          "spark " + version, SparkBloomFilter.create(version, SparkType.longs(), 10_000, 0.01));
    }
    filters.put("guava", GuavaBloomFilter.create(GuavaFunnel.longs(), 10_000, 0.01));
    return filters;
  }

  /** The concurrent form of a kind, by the methods that its builder has. */
  private static Object concurrent(FilterKind kind) throws ReflectiveOperationException {
    Object builder =
        kind.filterClass().getMethod("builder", HashStrategy.class).invoke(null, LONGS);
    builder
        .getClass()
        .getMethod("expecting", long.class, double.class)
        .invoke(builder, (long) ELEMENTS, 0.01);
    builder.getClass().getMethod("concurrent").invoke(builder);
    return builder.getClass().getMethod("build").invoke(builder);
  }

  static Stream<Named<Object>> namedFilters() throws ReflectiveOperationException {
    return filters().entrySet().stream()
        .map(filter -> Named.of(filter.getKey(), filter.getValue()));
  }

  private static void fill(Object filter) {
    LongStream hashes = LongStream.range(0, ELEMENTS).map(LONGS::hash);
    if (filter instanceof ExpiringCuckooFilter<?> expiring) {
      hashes.forEach(expiring::addHash);
    } else if (filter instanceof GuavaBloomFilter<?>) {
      @SuppressWarnings("unchecked") // of longs, as made above
      GuavaBloomFilter<Long> guava = (GuavaBloomFilter<Long>) filter;
      hashes.forEach(guava::add);
    } else {
      InsertableFilter<?> insertable = (InsertableFilter<?>) filter;
      hashes.forEach(insertable::addHash);
    }
  }

  @ParameterizedTest
  @MethodSource("namedFilters")
  void textReadsNoContents(Object filter) {
    fill(filter);
    String before = filter.toString();
    Overwriter overwriter = new Overwriter();
    overwriter.overwrite(filter);
    assertTrue(overwriter.bytes >= 1_000, () -> overwriter.bytes + " bytes overwritten");
    assertEquals(before, filter.toString());
  }

  @Test
  void textOfMappedFilesReadsNoContents() throws Exception {
    ClassicBloomFilter<Long> classic = ClassicBloomFilter.create(LONGS, ELEMENTS, 0.01);
    BlockedBloomFilter<Long> blocked = BlockedBloomFilter.create(LONGS, ELEMENTS, 0.01);
    Path classicFile = directory.resolve("classic");
    Path blockedFile = directory.resolve("blocked");
    Path guavaFile = directory.resolve("guava");
    classic.writeMappableTo(classicFile);
    blocked.writeMappableTo(blockedFile);
    GuavaBloomFilter.create(GuavaFunnel.longs(), ELEMENTS, 0.01).writeTo(guavaFile);
    try (var classicMapped = ClassicBloomFilter.openMapped(classicFile, LONGS);
        var blockedMapped = BlockedBloomFilter.openMapped(blockedFile, LONGS);
        var guavaMapped = GuavaBloomFilter.openMapped(guavaFile, GuavaFunnel.longs())) {
      String before = classicMapped + "\n" + blockedMapped + "\n" + guavaMapped;
      double rate = classicMapped.expectedFpp();
      for (Path file : new Path[] {classicFile, blockedFile, guavaFile}) {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          byte[] ones = new byte[1_000];
          Arrays.fill(ones, (byte) -1);
          channel.write(ByteBuffer.wrap(ones), Files.size(file) - 2_000);
        }
      }
      assertNotEquals(rate, classicMapped.expectedFpp(), "the file was overwritten");
      assertEquals(before, classicMapped + "\n" + blockedMapped + "\n" + guavaMapped);
    }
  }

  /** A filter whose text depends on its contents, which the check must find. */
  private static final class Walker {

    private final long[] words = new long[200];

    @Override
    public String toString() {
      return "set=" + Arrays.stream(words).map(Long::bitCount).sum();
    }
  }

  @Test
  void aTextOfContentsIsFound() {
    Walker walker = new Walker();
    String before = walker.toString();
    new Overwriter().overwrite(walker);
    assertNotEquals(before, walker.toString());
  }

  /** Overwrites all arrays of numbers that an object has. */
  private static final class Overwriter {

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private long bytes;

    void overwrite(@Nullable Object object) {
      if (object == null || !seen.add(object)) {
        return;
      }
      Class<?> type = object.getClass();
      if (object instanceof long[] longs) {
        Arrays.fill(longs, 0x5555_5555_5555_5557L);
        bytes += longs.length * 8L;
      } else if (object instanceof byte[] array) {
        Arrays.fill(array, (byte) 0x57);
        bytes += array.length;
      } else if (object instanceof Object[] array) {
        for (int i = 0; i < Array.getLength(array); i++) {
          overwrite(Array.get(array, i));
        }
      } else if (type.getName().startsWith("io.bloomkit.") && !(object instanceof HashStrategy)) {
        for (Class<?> owner = type;
            owner.getName().startsWith("io.bloomkit.");
            owner = owner.getSuperclass()) {
          Arrays.stream(owner.getDeclaredFields())
              .filter(field -> !Modifier.isStatic(field.getModifiers()))
              .filter(field -> !field.getType().isPrimitive())
              .forEach(field -> overwrite(valueOf(field, object)));
        }
      } else if (object instanceof Iterable<?> elements) {
        elements.forEach(this::overwrite);
      }
    }

    private static @Nullable Object valueOf(Field field, Object object) {
      try {
        field.setAccessible(true);
        return field.get(object);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
  }
}
