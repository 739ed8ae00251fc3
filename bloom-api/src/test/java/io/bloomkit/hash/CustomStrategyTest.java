package io.bloomkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.Refusals;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Strategies that users make of a function, and the identity that filters compare. */
class CustomStrategyTest {

  private static final HashStrategy<String> LENGTHS = HashStrategy.of("length/1", String::length);

  static Stream<String> badIds() {
    return Stream.of("", "\u0416", "caf\u00e9", "line\nbreak", "\t", "\u007f", "a".repeat(1001));
  }

  @Test
  void hashesByTheFunction() {
    assertEquals(5, LENGTHS.hash("bloom"));
    assertEquals(7, LongHashStrategy.of("next", number -> number + 1).hashLong(6));
    assertEquals(7, LongHashStrategy.of("next", number -> number + 1).hash(6L));
    assertEquals("length/1", LENGTHS.id());
    assertEquals("length/1", LENGTHS.toString());
    assertEquals("next", LongHashStrategy.of("next", number -> number + 1).toString());
  }

  @Test
  void aFunctionThatReturnsAnotherHashEachTimeIsRefused() {
    AtomicLong calls = new AtomicLong();
    assertRefused(() -> HashStrategy.of("id", (String t) -> calls.getAndIncrement(), "a"));
    assertRefused(() -> LongHashStrategy.of("id", number -> calls.getAndIncrement(), 1));
    assertRefused(
        () -> LENGTHS.on("field", (Long n) -> "a".repeat((int) calls.getAndIncrement()), 1L));
  }

  private static void assertRefused(Executable creation) {
    String message = assertThrows(IllegalArgumentException.class, creation).getMessage();
    assertTrue(String.valueOf(message).contains("must always return the same hash"), message);
  }

  @Test
  void withoutProbesTheFingerprintIsThatOfTheId() {
    HashStrategy<String> sameId =
        new HashStrategy<>() {
          @Override
          public long hash(String element) {
            return 0;
          }

          @Override
          public String id() {
            return "length/1";
          }
        };
    assertEquals(sameId.fingerprint(), LENGTHS.fingerprint());
    assertEquals(StrategyIdentity.of(sameId), StrategyIdentity.ofId("length/1"));
    assertNotEquals(
        LENGTHS.fingerprint(), HashStrategy.<String>of("length/2", String::length).fingerprint());
  }

  @Test
  void probesTellAChangedFunctionFromTheOldOne() {
    HashStrategy<String> before = HashStrategy.of("text", String::length, "a", "bloom");
    HashStrategy<String> after = HashStrategy.of("text", text -> text.length() + 1, "a", "bloom");
    HashStrategy<String> same = HashStrategy.of("text", text -> text.length(), "a", "bloom");
    assertNotEquals(before.fingerprint(), after.fingerprint());
    assertEquals(before.fingerprint(), same.fingerprint());
    assertEquals(StrategyIdentity.of(before), StrategyIdentity.of(same));
    assertNotEquals(StrategyIdentity.of(before), StrategyIdentity.of(after));
    assertNotEquals(
        before.fingerprint(),
        HashStrategy.<String>of("text", String::length, "bloom", "a").fingerprint());
    assertNotEquals(
        LongHashStrategy.of("number", number -> number, 1, 2).fingerprint(),
        LongHashStrategy.of("number", number -> -number, 1, 2).fingerprint());
  }

  @Test
  void aMissingProbeIsRefused() {
    Refusals.assertRefused(
        NullPointerException.class,
        () -> HashStrategy.of("text", String::length, "a", Refusals.<String>absent()),
        "probe");
  }

  @ParameterizedTest
  @MethodSource("badIds")
  void aBadIdIsRefused(String id) {
    Refusals.assertRefused(() -> HashStrategy.of(id, String::length), "id", "\"" + id + "\"");
    Refusals.assertRefused(() -> LongHashStrategy.of(id, number -> number), "id");
    Refusals.assertRefused(() -> new StrategyIdentity(id, 1), "id");
    Refusals.assertRefused(() -> StrategyIdentity.of(withId(id)), "id");
    Refusals.assertRefused(() -> StrategyIdentity.ofId(id), "id", "\"" + id + "\"");
  }

  @Test
  void theLongestIdAndEveryPrintableCharacterAreAllowed() {
    assertEquals(1000, HashStrategy.of("~".repeat(1000), String::length).id().length());
    for (char c = ' '; c <= '~'; c++) {
      String id = String.valueOf(c);
      assertEquals(id, HashStrategy.of(id, String::length).id());
    }
  }

  @Test
  void anIdentityIsThatOfAStrategy() {
    StrategyIdentity identity = StrategyIdentity.of(HashStrategies.longs());
    assertEquals("longs(rrmxmx)", identity.id());
    assertEquals(HashStrategies.longs().fingerprint(), identity.fingerprint());
    assertEquals(new StrategyIdentity("longs(rrmxmx)", identity.fingerprint()), identity);
    assertNotEquals(new StrategyIdentity("longs(rrmxmx)", identity.fingerprint() + 1), identity);
    assertEquals("a#ff", new StrategyIdentity("a", 255).toString());
    assertEquals("a#ffffffffffffffff", new StrategyIdentity("a", -1).toString());
  }

  @Test
  void aStrategyWithoutAnIdHasNoIdentity() {
    Refusals.assertRefused(
        NullPointerException.class,
        () -> StrategyIdentity.of(withId(Refusals.absent())),
        "the id of the hash strategy io.bloomkit.hash.CustomStrategyTest$");
  }

  private static HashStrategy<String> withId(String id) {
    return new HashStrategy<>() {
      @Override
      public long hash(String element) {
        return element.length();
      }

      @Override
      public String id() {
        return id;
      }
    };
  }
}
