package io.bloomkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ids and fingerprints stand in files: a change of any of these makes files unreadable. They were
 * computed in another language from XXH3, MD5, SHA-384, Murmur3 and SipHash of other libraries, and
 * from the formula of the mixer of numbers.
 */
class GoldenFingerprintsTest {

  private static final byte[] KEY = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

  private static final Map<String, HashStrategy<?>> STRATEGIES = strategies();

  private static Map<String, HashStrategy<?>> strategies() {
    Stream<HashStrategy<?>> overBytes =
        Stream.of(
                HashStrategies.bytes(),
                HashStrategies.md5(),
                HashStrategies.sha384(),
                HashStrategies.murmur3(42),
                HashStrategies.sipHash24(KEY))
            .flatMap(
                bytes ->
                    Stream.of(
                        bytes,
                        HashStrategies.utf8(bytes),
                        HashStrategies.longs(bytes),
                        HashStrategies.uuids(bytes)));
    Stream<HashStrategy<?>> others =
        Stream.of(
            HashStrategies.longs(),
            HashStrategies.ints(),
            HashStrategies.chars(),
            HashStrategies.seeded(HashStrategies.utf8(), 42),
            HashStrategies.seeded(HashStrategies.longs(), 42),
            HashStrategies.seeded(HashStrategies.bytes(), 42),
            HashStrategies.<String>composite()
                .field("user", text -> text, HashStrategies.utf8())
                .longField("second", String::length)
                .build());
    return Stream.concat(overBytes, others)
        .collect(Collectors.toMap(HashStrategy::id, Function.identity()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "xxh3; ab5cd8d32ec439ae",
        "utf8(xxh3); 736c49625c35ae6d",
        "longs(xxh3); dde74854ddce542b",
        "uuids(xxh3); 1029f61cef53708e",
        "md5; 731d684677e581da",
        "utf8(md5); b763714030e40390",
        "longs(md5); 6b58978a3ffc540b",
        "uuids(md5); b8d1436343d0a107",
        "sha384; a1dbfd17aecd500e",
        "utf8(sha384); 7310243fffec3421",
        "longs(sha384); 2638b913747ed1a4",
        "uuids(sha384); a5af45eb59ae26b4",
        "murmur3(0x2a); eef63e54446706d6",
        "utf8(murmur3(0x2a)); 86eb7b7875c1b846",
        "longs(murmur3(0x2a)); ec3b63d1946cb963",
        "uuids(murmur3(0x2a)); 89bd7c4d06658a8a",
        "siphash24; 6c53284fdec5b007",
        "utf8(siphash24); e09108cb388520b5",
        "longs(siphash24); a926cd294e4fb2a8",
        "uuids(siphash24); b64f702c8975ef04",
        "longs(rrmxmx); 0bfaaaa750ae9789",
        "ints(rrmxmx); ffe06cf9bf3b04fa",
        "chars(xxh3); efb2de3cd515cf74",
        "seeded(utf8(xxh3),0x2a); bd1ce48d7c87fed3",
        "seeded(longs(rrmxmx),0x2a); 45aea8d727bea675",
        "seeded(xxh3,0x2a); e8a18acbb249cc22",
        "composite(user=utf8(xxh3),second=longs(rrmxmx)); 2e69eb74a0856ee3",
      })
  void theFingerprintIsThatOfEveryRelease(String id, String fingerprint) {
    assertEquals(fingerprint, HexFormat.of().toHexDigits(strategy(id).fingerprint()));
  }

  @Test
  void theDirectFormsGoByTheSameFingerprints() {
    assertEquals(
        strategy("longs(xxh3)").fingerprint(),
        new BytesLongHashStrategy(HashStrategies.bytes()).fingerprint());
    assertEquals(strategy("uuids(xxh3)").fingerprint(), HashStrategies.uuids().fingerprint());
  }

  private static HashStrategy<?> strategy(String id) {
    return Objects.requireNonNull(STRATEGIES.get(id), id);
  }
}
