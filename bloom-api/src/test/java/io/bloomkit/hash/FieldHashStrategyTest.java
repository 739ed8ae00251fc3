package io.bloomkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomkit.Refusals;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements by one of their fields: named in the id, probed for the fingerprint. */
class FieldHashStrategyTest {

  private record User(String name, String email) {}

  private static final User ALICE = new User("Alice", "alice@example.org");

  private static final HashStrategy<User> BY_EMAIL = HashStrategies.utf8().on("email", User::email);

  @Test
  void theHashIsThatOfTheField() {
    assertEquals(HashStrategies.utf8().hash("alice@example.org"), BY_EMAIL.hash(ALICE));
    assertEquals(BY_EMAIL.hash(ALICE), BY_EMAIL.hash(new User("Bob", "alice@example.org")));
  }

  @Test
  void theIdHoldsTheNameAndTheStrategyOfTheField() {
    assertEquals("on(email=utf8(xxh3))", BY_EMAIL.id());
    assertEquals(BY_EMAIL.id(), BY_EMAIL.toString());
    record Order(User customer) {}
    assertEquals(
        "on(customer=on(email=utf8(xxh3)))", BY_EMAIL.on("customer", Order::customer).id());
  }

  @Test
  void twoFieldsAreTwoStrategies() {
    HashStrategy<User> byName = HashStrategies.utf8().on("name", User::name);
    assertNotEquals(StrategyIdentity.of(BY_EMAIL), StrategyIdentity.of(byName));
    assertNotEquals(BY_EMAIL.id(), byName.id());
    assertNotEquals(BY_EMAIL.fingerprint(), byName.fingerprint());
    assertNotEquals(StrategyIdentity.of(HashStrategies.utf8()), StrategyIdentity.of(BY_EMAIL));
  }

  @Test
  void anotherLambdaOfTheSameFieldIsTheSameStrategy() {
    HashStrategy<User> again = HashStrategies.utf8().on("email", user -> user.email());
    assertEquals(StrategyIdentity.of(BY_EMAIL), StrategyIdentity.of(again));
  }

  @Test
  void probesTellAnotherFieldOfTheSameNameFromTheRightOne() {
    HashStrategy<User> right = HashStrategies.utf8().on("email", User::email, ALICE);
    HashStrategy<User> wrong = HashStrategies.utf8().on("email", User::name, ALICE);
    assertEquals(right.id(), wrong.id());
    assertNotEquals(StrategyIdentity.of(right), StrategyIdentity.of(wrong));
    assertEquals(
        StrategyIdentity.of(right),
        StrategyIdentity.of(HashStrategies.utf8().on("email", User::email, ALICE)));
    assertNotEquals(StrategyIdentity.of(right), StrategyIdentity.of(BY_EMAIL));
  }

  @Test
  void theFingerprintDependsOnTheKeyOfTheFieldsStrategy() {
    byte[] key = new byte[16];
    HashStrategy<User> one =
        HashStrategies.utf8(HashStrategies.sipHash24(key)).on("email", User::email);
    key[3] = 1;
    HashStrategy<User> other =
        HashStrategies.utf8(HashStrategies.sipHash24(key)).on("email", User::email);
    assertEquals(one.id(), other.id());
    assertNotEquals(one.fingerprint(), other.fingerprint());
  }

  @Test
  void anElementOfAGenericTypeNeedsNoProbes() {
    HashStrategy<Map.Entry<String, Integer>> byKey =
        HashStrategies.utf8().on("key", Map.Entry::getKey);
    assertEquals(HashStrategies.utf8().hash("a"), byKey.hash(Map.entry("a", 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a=b", "a,b", "(", "Ж", "a\n"})
  void aNameWithOtherCharactersIsRefused(String name) {
    Refusals.assertRefused(
        () -> HashStrategies.utf8().on(name, User::email), "name", "\"" + name + "\"");
  }

  @Test
  void anIdLongerThanAnyFilterTakesIsRefused() {
    Refusals.assertRefused(() -> HashStrategies.utf8().on("a".repeat(990), User::email), "1000");
  }

  @Test
  void aMissingProbeOrFieldIsRefusedByName() {
    Refusals.assertRefused(
        NullPointerException.class,
        () -> HashStrategies.utf8().on("email", User::email, ALICE, Refusals.<User>absent()),
        "probe");
    Refusals.assertRefused(
        NullPointerException.class,
        () -> BY_EMAIL.hash(new User("Bob", Refusals.absent())),
        "email");
  }
}
