package io.bloomkit.testkit.hash;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.Deep;
import io.bloomkit.testkit.keys.KeySource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Every ready-made strategy is fit on every kind of keys that it takes. */
@Deep
class ReadyMadeStrategiesTest {

  private static final long SEED = 20261121;

  private static final byte[] KEY = "sixteen bytes...".getBytes(StandardCharsets.US_ASCII);

  /** The low bits of the hash of numbers, where filters take the high ones. */
  private static final LongHashStrategy HALVES_SWAPPED =
      LongHashStrategy.of(
          "longs with halves swapped",
          number -> Long.rotateLeft(HashStrategies.longs().hashLong(number), Integer.SIZE));

  private record Field(String name, long number) {}

  private final List<DynamicTest> tests = new ArrayList<>();

  private <T> void add(
      HashStrategy<? super T> strategy, KeySource source, LongFunction<? extends T> keys) {
    tests.add(
        DynamicTest.dynamicTest(
            strategy.id() + " on " + source.label(),
            () -> HashStrategyExamination.<T>of(strategy).elements(keys).run().assertFit()));
  }

  @Tag("campaign")
  @TestFactory
  Stream<DynamicTest> bytesHashesAreFit() {
    for (KeySource source : KeySource.values()) {
      for (BytesHashStrategy strategy :
          List.of(
              HashStrategies.bytes(),
              HashStrategies.md5(),
              HashStrategies.sha384(),
              HashStrategies.sipHash24(KEY),
              HashStrategies.seeded(HashStrategies.bytes(), 3))) {
        add(strategy, source, source.bytes(SEED));
      }
      if (source != KeySource.BIT_REVERSED && source != KeySource.BYTE_REVERSED) {
        add(HashStrategies.murmur3(7), source, source.bytes(SEED)); // see BadStrategiesTest
      }
    }
    return tests.stream();
  }

  @Tag("campaign")
  @TestFactory
  Stream<DynamicTest> textHashesAreFit() {
    for (KeySource source : KeySource.values()) {
      add(HashStrategies.utf8(), source, source.texts(SEED));
      add(HashStrategies.chars(), source, source.texts(SEED));
    }
    add(
        HashStrategies.utf8(HashStrategies.murmur3(1)),
        KeySource.TIMESTAMPS,
        KeySource.TIMESTAMPS.texts(SEED));
    add(HashStrategies.seeded(HashStrategies.utf8(), 5), KeySource.URLS, KeySource.URLS.texts(1));
    return tests.stream();
  }

  @Tag("campaign")
  @TestFactory
  Stream<DynamicTest> numberHashesAreFit() {
    for (KeySource source : KeySource.values()) {
      if (source.isNumeric()) {
        add(HashStrategies.longs(), source, source.longs(SEED));
        add(HashStrategies.seeded(HashStrategies.longs(), 42), source, source.longs(SEED));
        add(HALVES_SWAPPED, source, source.longs(SEED));
      }
    }
    add(HashStrategies.longs(HashStrategies.md5()), KeySource.SPARSE, KeySource.SPARSE.longs(SEED));
    LongFunction<Integer> ints = KeySource.SEQUENTIAL.fromLongs(SEED, Math::toIntExact);
    add(HashStrategies.ints(), KeySource.SEQUENTIAL, ints);
    LongFunction<Integer> random =
        KeySource.SEQUENTIAL.fromLongs(SEED, n -> (int) (n * 0x9e3779b1));
    add(HashStrategies.ints(), KeySource.RANDOM, random);
    return tests.stream();
  }

  @Tag("campaign")
  @TestFactory
  Stream<DynamicTest> uuidHashesAreFit() {
    for (KeySource source : KeySource.values()) {
      add(HashStrategies.uuids(), source, source.uuids(SEED));
    }
    LongFunction<UUID> timestamps = KeySource.TIMESTAMPS.uuids(SEED);
    add(HashStrategies.uuids(HashStrategies.sipHash24(KEY)), KeySource.TIMESTAMPS, timestamps);
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> everyHashIsFitOnOneKindOfKeys() {
    add(HashStrategies.bytes(), KeySource.SPARSE, KeySource.SPARSE.bytes(SEED));
    add(HashStrategies.md5(), KeySource.SPARSE, KeySource.SPARSE.bytes(SEED));
    add(HashStrategies.sha384(), KeySource.RANDOM, KeySource.RANDOM.bytes(SEED));
    add(HashStrategies.murmur3(1), KeySource.LOW_ENTROPY, KeySource.LOW_ENTROPY.bytes(SEED));
    add(HashStrategies.sipHash24(KEY), KeySource.TIMESTAMPS, KeySource.TIMESTAMPS.bytes(SEED));
    add(HashStrategies.utf8(), KeySource.TIMESTAMPS, KeySource.TIMESTAMPS.texts(SEED));
    add(HashStrategies.chars(), KeySource.IDS, KeySource.IDS.texts(SEED));
    add(HashStrategies.longs(), KeySource.SEQUENTIAL, KeySource.SEQUENTIAL.longs(SEED));
    add(HALVES_SWAPPED, KeySource.DOUBLED, KeySource.DOUBLED.longs(SEED));
    add(
        HashStrategies.seeded(HashStrategies.longs(), 42),
        KeySource.SEQUENTIAL,
        KeySource.SEQUENTIAL.longs(SEED));
    add(HashStrategies.ints(), KeySource.SEQUENTIAL, index -> (int) index);
    add(HashStrategies.uuids(), KeySource.RANDOM, KeySource.RANDOM.uuids(SEED));
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> compositesAreFit() {
    HashStrategy<Field> strategy =
        HashStrategies.<Field>composite()
            .field("name", Field::name, HashStrategies.utf8())
            .longField("number", Field::number)
            .build();
    for (KeySource source : List.of(KeySource.SEQUENTIAL, KeySource.SPARSE)) {
      // A few numbers with each of a few names.
      LongFunction<Field> fields =
          i -> new Field(source.texts(SEED).apply(i / 512), source.longs(SEED).apply(i % 512));
      add(strategy, source, fields);
    }
    return tests.stream();
  }
}
