package io.bloomkit.interop.guava;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.formattests.FileFormatContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.ContentsDelta;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.internal.format.SectionRole;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters of Guava in the file format of this library. */
class GuavaBloomFilterFilesTest implements FileFormatContract<GuavaBloomFilterFilesTest.Stored> {

  private static final GuavaFunnel<Long> LONGS = GuavaFunnel.longs();

  @TempDir private Path directory;

  /** A filter for the contract, which uses nothing but its contents. */
  record Stored(GuavaBloomFilter<Long> filter)
      implements StorableFilter<Long>, FilterContents.Source {

    @Override
    public FilterContents contents() {
      return filter.contents();
    }

    @Override
    public boolean mightContain(Long element) {
      return filter.mightContain(element);
    }

    @Override
    public boolean mightContainHash(long hash) {
      throw new AssertionError("a filter of Guava has no hash of 64 bits");
    }

    @Override
    public double expectedFpp() {
      return filter.expectedFpp();
    }

    @Override
    public long approximateElementCount() {
      return filter.approximateElementCount();
    }

    @Override
    public long memoryBytes() {
      return filter.memoryBytes();
    }

    @Override
    public HashStrategy<Long> strategy() {
      return HashStrategies.longs();
    }
  }

  private static GuavaBloomFilter<Long> filter(
      GuavaStrategy strategy, int hashes, int words, int elements) {
    GuavaBloomFilter<Long> filter =
        new GuavaBloomFilter<>(LONGS, strategy, hashes, new long[words]);
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  private static GuavaBloomFilter<Long> planned() {
    return filter(GuavaStrategy.MURMUR128_MITZ_64, 5, 12, 100);
  }

  private static Stored large(int elements) {
    GuavaBloomFilter<Long> filter = GuavaBloomFilter.create(LONGS, 1_000_000, 0.01);
    LongStream.range(0, elements).forEach(filter::add);
    return new Stored(filter);
  }

  @Override
  public List<GoldenFile<Stored>> goldenFiles() {
    return List.of(
        new GoldenFile<>(
            "guava-empty.bloom",
            "745b1c16f2a64369c01599331f53068978c0f94a4b7cde07ddf19d26a6adca88",
            new Stored(filter(GuavaStrategy.MURMUR128_MITZ_64, 7, 150, 0))),
        new GoldenFile<>(
            "guava-one.bloom",
            "989bdc576bea204ea8bfaea14844b7318c570ad7b6c3bb037b2ae4d93e50f045",
            new Stored(filter(GuavaStrategy.MURMUR128_MITZ_64, 7, 150, 1))),
        new GoldenFile<>(
            "guava-sparse.bloom",
            "a533dc357e728f2775fd19071c2bd76864a39a7793372af1670841da5991005d",
            new Stored(filter(GuavaStrategy.MURMUR128_MITZ_64, 7, 150, 20))),
        new GoldenFile<>(
            "guava-planned.bloom",
            "4dbf6f4882ccd9437381cca1e63e559918fbb9116b27c87ad64f057c02afc592",
            new Stored(planned())),
        new GoldenFile<>(
            "guava-old-strategy.bloom",
            "b5d31caf12efc7495b0bba3494143a8329c103b06a6b4e24e54d902176f1b248",
            new Stored(filter(GuavaStrategy.MURMUR128_MITZ_32, 5, 12, 100))),
        new GoldenFile<>(
            "guava-most-hashes.bloom",
            "08a60e20541c5a2a29736b322a841dab2ab84ca7cdb2e381d5bd483213e53ac0",
            new Stored(filter(GuavaStrategy.MURMUR128_MITZ_64, 255, 1, 1))));
  }

  @Override
  public List<Stored> largeFilters() {
    return List.of(large(0), large(20_000), large(1_000_000));
  }

  @Override
  public Stored readFrom(InputStream in) throws IOException {
    return new Stored(GuavaBloomFilter.readFrom(in, LONGS));
  }

  @Override
  public Stored fromBytes(byte[] bytes) throws FilterFormatException {
    return new Stored(GuavaBloomFilter.fromBytes(bytes, LONGS));
  }

  @Test
  void bothFormatsHoldTheSameFilter() throws IOException {
    for (GuavaStrategy strategy : GuavaStrategy.values()) {
      for (int elements : new int[] {0, 1, 20, 100, 1000}) {
        GuavaBloomFilter<Long> filter = filter(strategy, 5, 12, elements);
        GuavaBloomFilter<Long> stored =
            GuavaBloomFilter.fromBytes(filter.contents().toBytes(), LONGS);
        assertEquals(filter, stored);
        assertEquals(filter.setPositions(), stored.setPositions());
        assertArrayEquals(filter.toBytes(), stored.toBytes());
      }
    }
  }

  @Test
  void eitherFormatIsReadFromOneStreamAndLeftOpen() throws IOException {
    byte[] guavas = planned().toBytes();
    byte[] stored = planned().contents().toBytes();
    byte[] three = new byte[2 * guavas.length + stored.length];
    System.arraycopy(guavas, 0, three, 0, guavas.length);
    System.arraycopy(stored, 0, three, guavas.length, stored.length);
    System.arraycopy(guavas, 0, three, guavas.length + stored.length, guavas.length);
    boolean[] closed = new boolean[1];
    InputStream in =
        new ByteArrayInputStream(three) {
          @Override
          public void close() {
            closed[0] = true;
          }
        };
    for (int i = 0; i < 3; i++) {
      assertEquals(planned(), GuavaBloomFilter.readFrom(in, LONGS));
    }
    assertThrows(FilterFormatException.class, () -> GuavaBloomFilter.readFrom(in, LONGS));
    InputStream cut = new ByteArrayInputStream(stored, 0, stored.length - 1);
    assertThrows(FilterFormatException.class, () -> GuavaBloomFilter.readFrom(cut, LONGS));
    assertFalse(closed[0]);
  }

  @Test
  void aFlippedBitIsNoticedInThisFormatOnly() throws IOException {
    byte[] guavas = planned().toBytes();
    guavas[20] ^= 1;
    assertNotEquals(planned(), GuavaBloomFilter.fromBytes(guavas, LONGS));
    byte[] stored = planned().contents().toBytes();
    stored[stored.length - 20] ^= 1;
    assertRefused("checksum", stored);
  }

  @Test
  void anotherFunnelIsRefused() {
    byte[] file = planned().contents().toBytes();
    String refusal =
        assertThrows(
                FilterFormatException.class,
                () -> GuavaBloomFilter.fromBytes(file, GuavaFunnel.ints()))
            .toString();
    assertTrue(
        refusal.endsWith(
            "the filter was filled by strategy guava-longs but is to be read with guava-ints: read it"
                + " with the strategy that filled it"),
        refusal);
  }

  @Test
  void anotherFilterOfThisLibraryIsRefused() {
    byte[] classic = ClassicBloomFilter.create(HashStrategies.longs(), 10, 0.01).toBytes();
    assertRefused("this is a ClassicBloomFilter and not a GuavaBloomFilter", classic);
  }

  /**
   * They stand in files: a change of any of these makes files unreadable. They were computed in
   * another language, by another library's XXH3, as docs/format.md says.
   */
  @Test
  void identitiesOfFunnelsAreTheOldOnes() {
    assertIdentity("guava-byteArrays", 0xf28cc9c3da083fc3L, GuavaFunnel.byteArrays());
    assertIdentity("guava-ints", 0x56079730df094496L, GuavaFunnel.ints());
    assertIdentity("guava-longs", 0x86893a5bbcda3e47L, GuavaFunnel.longs());
    assertIdentity("guava-unencodedChars", 0xe9ddf39762022522L, GuavaFunnel.unencodedChars());
    long utf8 = 0x8b5101a4a2737196L;
    assertIdentity("guava-strings(UTF-8)", utf8, GuavaFunnel.strings(StandardCharsets.UTF_8));
    assertIdentity("guava-strings(UTF-8)", utf8, GuavaFunnel.utf8Bytes());
    long latin1 = 0xb74ef27a5bcb4574L;
    assertIdentity(
        "guava-strings(ISO-8859-1)", latin1, GuavaFunnel.strings(StandardCharsets.ISO_8859_1));
  }

  private static void assertIdentity(String id, long fingerprint, GuavaFunnel<?> funnel) {
    assertEquals(new StrategyIdentity(id, fingerprint), funnel.identity());
  }

  @Test
  void textsAndTheirBytesAreOneFunnel() throws IOException {
    GuavaBloomFilter<CharSequence> texts =
        GuavaBloomFilter.create(GuavaFunnel.strings(StandardCharsets.UTF_8), 100, 0.01);
    texts.add("\u00c6r\u00f8");
    byte[] file = texts.contents().toBytes();
    GuavaBloomFilter<byte[]> bytes = GuavaBloomFilter.fromBytes(file, GuavaFunnel.utf8Bytes());
    assertEquals(texts, bytes);
    assertTrue(bytes.mightContain("\u00c6r\u00f8".getBytes(StandardCharsets.UTF_8)));
    assertFalse(bytes.mightContain("Aero".getBytes(StandardCharsets.UTF_8)));
    assertThrows(
        FilterFormatException.class,
        () -> GuavaBloomFilter.fromBytes(file, GuavaFunnel.byteArrays()));
  }

  @Test
  void aDeltaLeadsToTheNextVersion() throws IOException {
    GuavaBloomFilter<Long> filter = planned();
    FilterContents before = filter.copy().contents();
    filter.add(1000L);
    ContentsDelta delta = ContentsDelta.between(before, filter.contents());
    assertEquals(filter, GuavaBloomFilter.fromBytes(delta.apply(before).toBytes(), LONGS));
  }

  @Test
  void aFileIsWrittenAndRead() throws IOException {
    Path file = directory.resolve("seen.bloom");
    planned().writeBloomkitTo(file);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    planned().writeBloomkitTo(out);
    assertArrayEquals(Files.readAllBytes(file), out.toByteArray());
    try (InputStream in = Files.newInputStream(file)) {
      assertEquals(planned(), GuavaBloomFilter.readFrom(in, LONGS));
    }
  }

  @Test
  void aFileOfGuavasBytesReplacesAnOldOne() throws IOException {
    Path file = directory.resolve("seen.guava");
    Files.writeString(file, "old");
    planned().writeTo(file);
    assertArrayEquals(planned().toBytes(), Files.readAllBytes(file));
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(file), left.toList());
    }
  }

  @Test
  void contentsThatGuavaNeverWritesAreRefused() throws IOException {
    assertRefused("at byte 48: positions must be in [64, ", forged(0, 5, 1));
    assertRefused("at byte 48: positions must be in [64, ", forged(-64, 5, 1));
    assertRefused("at byte 48: positions must be in [64, ", forged(1L << 37, 5, 1));
    assertRefused("at byte 48: positions must be a multiple of 64, got 65", forged(65, 5, 1));
    assertRefused("at byte 56: hashes must be in [1, 255], got 0", forged(64, 0, 1));
    assertRefused("at byte 56: hashes must be in [1, 255], got 256", forged(64, 256, 1));
    assertRefused("at byte 64: Guava's strategy must be in [0, 1], got 2", forged(64, 5, 2));
    assertRefused("at byte 64: Guava's strategy must be in [0, 1], got 256", forged(64, 5, 256));
    assertRefused("a GuavaBloomFilter has 3 fields but here are 2", forged(64, 5));
    assertRefused("must have 2 words, got 1", forged(128, 5, 1));
    FilterContents.Builder counted = builder(64, 5, 1).elementCount(OptionalLong.of(0), 0, 0);
    assertRefused(
        "the element count must be unknown, since Guava keeps none, got 0",
        counted.build().toBytes());
    FilterContents.Builder planned = builder(64, 5, 1).plan(Optional.of(new FilterPlan(9, 0.1)));
    assertRefused("must have no plan", planned.build().toBytes());
    assertEquals(
        filter(GuavaStrategy.MURMUR128_MITZ_32, 255, 1, 0),
        GuavaBloomFilter.fromBytes(forged(64, 255, 0), LONGS));
  }

  private static byte[] forged(long... fields) {
    return builder(fields).build().toBytes();
  }

  /** With one word. */
  private static FilterContents.Builder builder(long... fields) {
    return FilterContents.of(GuavaBloomFilter.CODE, LONGS.identity(), fields)
        .section(SectionRole.WORDS, new long[1]);
  }

  private static void assertRefused(String message, byte[] bytes) {
    String refusal =
        assertThrows(FilterFormatException.class, () -> GuavaBloomFilter.fromBytes(bytes, LONGS))
            .toString();
    assertTrue(refusal.contains(message), refusal);
  }

  @Test
  void theFormatsAreToldApartByTheirFirstByte() throws IOException {
    byte[] stored = planned().contents().toBytes();
    assertEquals(FilterHeader.FIRST_BYTE, stored[0]);
    FilterHeader header = FilterHeader.readFrom(new ByteArrayInputStream(stored));
    assertEquals(GuavaBloomFilter.CODE, header.variant());
    assertEquals(OptionalLong.empty(), header.elementCount());
    assertEquals(768, header.field(0));
    assertEquals(5, header.field(1));
    assertEquals(1, header.field(2));
  }
}
