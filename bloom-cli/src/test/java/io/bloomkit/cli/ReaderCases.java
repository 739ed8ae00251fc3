package io.bloomkit.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterFormatException;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.GuavaFunnel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** Files, deltas and hostile bytes for the tests of the readers in other languages. */
final class ReaderCases {

  /** The time for filters that expire, when the golden files have live elements. */
  static final long MILLIS = 1_700_000_006_500L;

  /** The largest number in {@link #answers}, and minus the smallest. */
  static final int MAX = 300;

  static final String REFUSED = "refused";

  static final byte[] KEY = "sixteen bytes...".getBytes(UTF_8);

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  private ReaderCases() {}

  /** Returns the golden files of filters that can be read, and not those of deltas. */
  static List<Path> goldenFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String module :
        List.of("bloom-classic", "bloom-counting", "bloom-interop", "bloom-scalable")) {
      Path golden =
          Path.of("..", module, "src", "test", "resources", "golden-files").toAbsolutePath();
      try (Stream<Path> all = Files.list(golden)) {
        all.filter(file -> !file.getFileName().toString().startsWith("delta"))
            .sorted()
            .forEach(files::add);
      }
    }
    return files;
  }

  static Path goldenFile(String name) {
    try {
      return goldenFiles().stream().filter(file -> file.endsWith(name)).findFirst().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns for each of some kinds, by its label, the file that is largest in memory for its bytes:
   * nearly empty, or of nearly all fingerprints.
   */
  static Map<String, byte[]> densestFiles(Set<String> kinds) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (FilterKind kind : FilterKind.installed()) {
      if (kinds.contains(kind.label())) {
        boolean isOfFingerprints = kind.label().endsWith("-cuckoo");
        StorableFilter<Long> filter =
            isOfFingerprints ? kind.create(LONGS, 50_000, 0.9) : kind.create(LONGS, 200_000, 0.01);
        for (long i = 0; i < (isOfFingerprints ? 50_000 : 1); i++) {
          kind.addHash(filter, LONGS.hash(i));
        }
        files.put(kind.label(), filter.toBytes());
      }
    }
    return files;
  }

  /** Returns a file whose first coded section is said to be a thousand times as large. */
  static byte[] promisingTooMuch(byte[] good) {
    byte[] file = good.clone();
    ByteBuffer buffer = buffer(file);
    int entry = 48 + 8 * Short.toUnsignedInt(buffer.getShort(20)) + 16 * (file[16] & 1);
    while (file[entry + 2] == 0) { // not coded
      entry += 24;
    }
    buffer.putLong(entry + 8, 1000 * buffer.getLong(entry + 8));
    repairChecksums(file);
    return file;
  }

  static int variantOf(byte[] file) throws IOException {
    return FilterHeader.readFrom(new ByteArrayInputStream(file)).variant();
  }

  /** Returns the answers of the library for the numbers up to {@link #MAX}, or that it refuses. */
  static String answers(byte[] file) throws IOException {
    return answers(file, MILLIS);
  }

  /** Returns the answers at a time. */
  static String answers(byte[] file, long millis) throws IOException {
    try {
      ToLongFunction<Long> filter = read(file, clock(millis));
      return LongStream.rangeClosed(-MAX, MAX)
          .mapToObj(number -> String.valueOf(filter.applyAsLong(number)))
          .collect(Collectors.joining(" "));
    } catch (FilterFormatException e) {
      return REFUSED;
    }
  }

  private static Clock clock(long millis) {
    return Clock.fixed(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
  }

  private static ToLongFunction<Long> read(byte[] file, Clock clock) throws IOException {
    int variant = variantOf(file);
    if (variant == GuavaBloomFilter.CODE) {
      var guava = GuavaBloomFilter.fromBytes(file, GuavaFunnel.longs());
      return number -> guava.mightContain(number) ? 1 : 0;
    }
    if (variant == ExpiringCuckooFilter.KIND.code()) {
      var expiring = ExpiringCuckooFilter.builder(LONGS).clock(clock).<Long>fromBytes(file);
      return number -> expiring.mightContain(number) ? 1 : 0;
    }
    FilterKind kind =
        FilterKind.of(variant)
            .orElseThrow(() -> new FilterFormatException(10, "no filter of " + variant));
    StorableFilter<Long> filter = kind.fromBytes(file, LONGS);
    return number -> answer(filter, number);
  }

  static <T> long answer(StorableFilter<T> filter, T element) {
    return filter instanceof DeletableFilter<T> counting
        ? counting.count(element)
        : filter.mightContain(element) ? 1 : 0;
  }

  /** Returns files with up to three changed bytes and, where it has a place, the right checksum. */
  static List<byte[]> forgeries(byte[] good, int count) {
    SplittableRandom random = new SplittableRandom(20261127);
    int header = buffer(good).getInt(12);
    List<byte[]> forged = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] file = good.clone();
      for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
        int at = random.nextInt(8, random.nextBoolean() ? header - 4 : file.length);
        file[at] =
            (byte)
                switch (random.nextInt(4)) {
                  case 0 -> 0;
                  case 1 -> file[at] + 1;
                  case 2 -> file[at] ^ 1 << random.nextInt(8);
                  default -> random.nextInt(256);
                };
      }
      repairChecksums(file);
      forged.add(file);
    }
    return forged;
  }

  private static ByteBuffer buffer(byte[] file) {
    return ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
  }

  static void repairChecksums(byte[] file) {
    ByteBuffer buffer = buffer(file);
    int fields = Short.toUnsignedInt(buffer.getShort(20));
    int sections = Short.toUnsignedInt(buffer.getShort(22));
    long end = Integer.toUnsignedLong(buffer.getInt(12));
    int entry = 48 + 8 * fields + 16 * (file[16] & 1);
    if (end < 52 || end > file.length || entry + 24L * sections > end) {
      return;
    }
    putChecksum(file, 0, (int) end - 4);
    for (int i = 0; i < sections; i++) {
      long offset = (end + 63) & -64;
      long stored = buffer.getLong(entry + 24 * i + 16);
      if (stored < 0 || stored > file.length - 4 - offset) {
        return;
      }
      putChecksum(file, (int) offset, (int) (offset + stored));
      end = offset + stored + 4;
    }
  }

  private static void putChecksum(byte[] file, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(file, from, to - from);
    buffer(file).putInt(to, (int) crc.getValue());
  }

  /** Two versions of a filter of some elements, and the delta from one to the other. */
  static final class Versions<T> {

    private final FilterKind kind;
    private final HashStrategy<T> strategy;
    private final LongFunction<? extends T> elements;

    /** The name by which the scripts make the elements: texts, bytes, longs or uuids. */
    final String elementsName;

    final byte[] before;
    final byte[] delta;
    final byte[] after;

    /**
     * Adds half as many elements as will be asked for; then some go, if they can, and some come.
     */
    Versions(
        String kind,
        HashStrategy<T> strategy,
        String elementsName,
        LongFunction<? extends T> elements,
        int keys)
        throws IOException {
      this.kind =
          FilterKind.installed().stream()
              .filter(installed -> installed.label().equals(kind))
              .findFirst()
              .orElseThrow();
      this.strategy = strategy;
      this.elements = elements;
      this.elementsName = elementsName;
      StorableFilter<T> filter = create(keys);
      add(filter, 0, keys / 2);
      before = filter.toBytes();
      StorableFilter<T> changed = read(before, clock(MILLIS));
      if (changed instanceof DeletableFilter<T> deletable) {
        for (int i = 0; i < keys / 50; i++) {
          deletable.remove(elements.apply(i));
        }
      }
      add(changed, keys / 2 - 10, keys / 2 + keys / 50);
      after = changed.toBytes();
      delta = Delta.between(filter, changed).toBytes();
    }

    private StorableFilter<T> create(int keys) {
      return kind.equals(ExpiringCuckooFilter.KIND)
          ? ExpiringCuckooFilter.builder(strategy)
              .expecting(keys, 0.01)
              .expireAfterAdd(Duration.ofHours(1))
              .clock(clock(MILLIS))
              .build()
          : kind.create(strategy, keys, 0.01);
    }

    private StorableFilter<T> read(byte[] bytes, Clock clock) throws FilterFormatException {
      return kind.equals(ExpiringCuckooFilter.KIND)
          ? ExpiringCuckooFilter.builder(strategy).clock(clock).fromBytes(bytes)
          : kind.fromBytes(bytes, strategy);
    }

    private void add(StorableFilter<T> filter, int from, int to) {
      for (int i = from; i < to; i++) {
        kind.addHash(filter, strategy.hash(elements.apply(i)));
      }
    }

    /** Returns a digit for each key: its count, at most 9. */
    String answersAfter(int keys) throws IOException {
      StorableFilter<T> filter = read(after, clock(MILLIS));
      StringBuilder answers = new StringBuilder(keys);
      for (int i = 0; i < keys; i++) {
        answers.append(Math.min(9, answer(filter, elements.apply(i))));
      }
      return answers.toString();
    }

    /** Returns the delta, forgeries and truncations of it, and some of its bits flipped. */
    List<byte[]> hostileDeltas(int forgeries) {
      List<byte[]> deltas = new ArrayList<>(List.of(delta));
      deltas.addAll(ReaderCases.forgeries(delta, forgeries));
      for (int i = 0; i < forgeries; i++) {
        int at = (int) ((long) delta.length * i / forgeries);
        deltas.add(Arrays.copyOf(delta, at));
        byte[] flipped = delta.clone();
        flipped[at] ^= (byte) (1 << i % 8);
        deltas.add(flipped);
      }
      return deltas;
    }

    /** Returns what the library makes of a delta to the version before. */
    String resultOf(byte[] forged) throws IOException {
      Clock behind = Clock.fixed(Instant.MIN, ZoneOffset.UTC); // so what is read does not expire
      try {
        StorableFilter<T> result =
            Delta.fromBytes(forged).apply(read(before, behind), bytes -> read(bytes, behind));
        return HexFormat.of().formatHex(result.toBytes());
      } catch (FilterFormatException | IllegalArgumentException e) {
        return REFUSED;
      }
    }

    @Override
    public String toString() {
      return kind.label() + " of " + strategy.id();
    }
  }

  private static String text(long i) {
    return (i % 3 == 0 ? "\u0416\ud834\udd1e \u20ac" : "key ") + i;
  }

  private static UUID uuid(long i) {
    return new UUID(i * GOLDEN_RATIO, i);
  }

  /** Returns versions of filters of every kind, with every strategy of the readers. */
  static List<Versions<?>> versions(Set<String> kinds, int keys) throws IOException {
    BytesHashStrategy bytes = HashStrategies.bytes();
    BytesHashStrategy sip = HashStrategies.sipHash24(KEY);
    HashStrategy<CharSequence> texts = HashStrategies.utf8();
    List<Versions<?>> all = new ArrayList<>();
    for (String kind : kinds) {
      all.add(
          switch (kind) {
            case "classic" -> new Versions<>(kind, texts, "texts", ReaderCases::text, keys);
            case "blocked" ->
                new Versions<>(kind, bytes, "bytes", i -> text(i).getBytes(UTF_8), keys);
            case "counting" -> ofLongs(kind, LONGS, keys);
            case "blocked-counting" ->
                new Versions<>(kind, HashStrategies.uuids(), "uuids", ReaderCases::uuid, keys);
            case "cuckoo" -> new Versions<>(kind, sip, "bytes", i -> text(i).getBytes(UTF_8), keys);
            case "scalable" ->
                new Versions<>(kind, HashStrategies.utf8(sip), "texts", ReaderCases::text, keys);
            case "expiring-cuckoo" ->
                new Versions<>(kind, HashStrategies.uuids(), "uuids", ReaderCases::uuid, keys);
            case "dynamic-cuckoo" ->
                new Versions<>(kind, HashStrategies.uuids(sip), "uuids", ReaderCases::uuid, keys);
            default -> throw new IllegalArgumentException(kind);
          });
    }
    return all;
  }

  static Versions<Long> ofLongs(String kind, HashStrategy<Long> strategy, int keys)
      throws IOException {
    return new Versions<>(kind, strategy, "longs", i -> i * GOLDEN_RATIO, keys);
  }
}
