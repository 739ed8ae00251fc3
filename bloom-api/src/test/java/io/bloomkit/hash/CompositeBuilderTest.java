package io.bloomkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomkit.Refusals;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements of several fields: framed, ordered, named. */
class CompositeBuilderTest {

  private record Click(String user, String page, long second) {}

  private static final HashStrategy<Click> USER_AND_PAGE =
      HashStrategies.<Click>composite()
          .field("user", Click::user, HashStrategies.utf8())
          .field("page", Click::page, HashStrategies.utf8())
          .build();

  @Test
  void fieldsAreFramed() {
    assertNotEquals(
        USER_AND_PAGE.hash(new Click("a", "bc", 0)), USER_AND_PAGE.hash(new Click("ab", "c", 0)));
    Set<Long> hashes = new HashSet<>();
    String text = "abcdefgh";
    for (int cut = 0; cut <= text.length(); cut++) {
      hashes.add(USER_AND_PAGE.hash(new Click(text.substring(0, cut), text.substring(cut), 0)));
    }
    assertEquals(text.length() + 1, hashes.size());
  }

  @Test
  void theOrderOfFieldsMatters() {
    HashStrategy<Click> pageAndUser =
        HashStrategies.<Click>composite()
            .field("page", Click::page, HashStrategies.utf8())
            .field("user", Click::user, HashStrategies.utf8())
            .build();
    Click click = new Click("a", "b", 0);
    assertNotEquals(USER_AND_PAGE.hash(click), pageAndUser.hash(click));
    assertNotEquals(USER_AND_PAGE.hash(click), USER_AND_PAGE.hash(new Click("b", "a", 0)));
    assertNotEquals(USER_AND_PAGE.id(), pageAndUser.id());
  }

  @Test
  void equalFieldsGiveEqualHashesAndOtherFieldsDoNotCount() {
    assertEquals(
        USER_AND_PAGE.hash(new Click("a", "b", 1)), USER_AND_PAGE.hash(new Click("a", "b", 2)));
  }

  /** Computed in another language by the steps that the class comment names. */
  @Test
  void theHashIsThatOfEveryRelease() {
    HashStrategy<Click> clicks = usersAndSeconds(HashStrategies.utf8());
    assertEquals("composite(user=utf8(xxh3),second=longs(rrmxmx))", clicks.id());
    assertEquals(clicks.id(), clicks.toString());
    assertEquals(0xc2c2c206f0c3afacL, clicks.hash(new Click("alice", "", 7)));
  }

  @Test
  void aLongFieldHashesAsABoxedField() {
    HashStrategy<Click> boxed =
        HashStrategies.<Click>composite()
            .field("user", Click::user, HashStrategies.utf8())
            .field("second", Click::second, HashStrategies.longs())
            .build();
    HashStrategy<Click> unboxed = usersAndSeconds(HashStrategies.utf8());
    assertEquals(StrategyIdentity.of(boxed), StrategyIdentity.of(unboxed));
    Click click = new Click("alice", "", -5);
    assertEquals(boxed.hash(click), unboxed.hash(click));
  }

  @Test
  void aLongFieldTakesItsOwnStrategy() {
    LongHashStrategy keyed = HashStrategies.longs(HashStrategies.sipHash24(new byte[16]));
    HashStrategy<Click> clicks =
        HashStrategies.<Click>composite().longField("second", Click::second, keyed).build();
    assertEquals("composite(second=longs(siphash24))", clicks.id());
    assertNotEquals(
        HashStrategies.<Click>composite()
            .longField("second", Click::second)
            .build()
            .hash(new Click("", "", 1)),
        clicks.hash(new Click("", "", 1)));
  }

  @Test
  void aNullFieldIsRefusedByName() {
    Refusals.assertRefused(
        NullPointerException.class,
        () -> USER_AND_PAGE.hash(new Click("a", Refusals.absent(), 0)),
        "page");
    Refusals.assertRefused(
        NullPointerException.class,
        () -> USER_AND_PAGE.hash(new Click(Refusals.absent(), "b", 0)),
        "user");
  }

  @Test
  void aNullElementIsRefusedEvenWhereNoFieldLooksAtIt() {
    HashStrategy<Click> constant =
        HashStrategies.<Click>composite().longField("one", click -> 1).build();
    Refusals.assertRefused(
        NullPointerException.class, () -> constant.hash(Refusals.absent()), "element");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a=b", "a,b", "(", "\u0416", "a\n"})
  void aNameWithOtherCharactersIsRefused(String name) {
    CompositeBuilder<Click> builder = HashStrategies.composite();
    Refusals.assertRefused(
        () -> builder.field(name, Click::user, HashStrategies.utf8()), "name", "\"" + name + "\"");
    Refusals.assertRefused(() -> builder.longField(name, Click::second), "name");
  }

  @Test
  void aNameUsedTwiceIsRefusedAndChangesNothing() {
    CompositeBuilder<Click> builder =
        HashStrategies.<Click>composite().field("user", Click::user, HashStrategies.utf8());
    Refusals.assertRefused(
        () -> builder.field("user", Click::page, HashStrategies.utf8()), "\"user\"", "two fields");
    Refusals.assertRefused(() -> builder.longField("user", Click::second), "\"user\"");
    assertEquals("composite(user=utf8(xxh3))", builder.build().id());
  }

  @Test
  void noFieldIsRefused() {
    Refusals.assertRefused(
        IllegalStateException.class, () -> HashStrategies.composite().build(), "field");
  }

  @Test
  void anIdLongerThanAnyFilterTakesIsRefusedWhenBuilt() {
    CompositeBuilder<Click> builder = HashStrategies.composite();
    for (int i = 0; i < 60; i++) {
      builder.longField("a-rather-long-name-" + i, Click::second);
    }
    Refusals.assertRefused(builder::build, "1000");
  }

  @Test
  void theFingerprintDependsOnTheFieldsKeys() {
    HashStrategy<Click> one =
        usersAndSeconds(HashStrategies.utf8(HashStrategies.sipHash24(new byte[16])));
    byte[] key = new byte[16];
    key[3] = 1;
    HashStrategy<Click> other = usersAndSeconds(HashStrategies.utf8(HashStrategies.sipHash24(key)));
    assertEquals(one.id(), other.id());
    assertNotEquals(one.fingerprint(), other.fingerprint());
    assertNotEquals(
        usersAndSeconds(HashStrategies.utf8()).id(), usersAndSeconds(HashStrategies.chars()).id());
  }

  @Test
  void laterCallsOfTheBuilderDoNotChangeWhatWasBuilt() {
    CompositeBuilder<Click> builder =
        HashStrategies.<Click>composite().field("user", Click::user, HashStrategies.utf8());
    HashStrategy<Click> built = builder.build();
    StrategyIdentity before = StrategyIdentity.of(built);
    long hash = built.hash(new Click("a", "b", 1));
    builder.longField("second", Click::second);
    assertEquals(before, StrategyIdentity.of(built));
    assertEquals(hash, built.hash(new Click("a", "b", 1)));
  }

  private static CompositeBuilder<Click> usersAndPages(boolean isSwapped) {
    return HashStrategies.<Click>composite()
        .field("user", isSwapped ? Click::page : Click::user, HashStrategies.utf8())
        .field("page", isSwapped ? Click::user : Click::page, HashStrategies.utf8());
  }

  @Test
  void aProbeTellsSwappedFunctionsApart() {
    Click probe = new Click("alice", "/", 0);
    HashStrategy<Click> right = usersAndPages(false).build(probe);
    HashStrategy<Click> swapped = usersAndPages(true).build(probe);
    assertEquals(right.id(), swapped.id());
    assertNotEquals(right.fingerprint(), swapped.fingerprint());
    assertNotEquals(StrategyIdentity.of(right), StrategyIdentity.of(swapped));
    assertEquals(right.fingerprint(), usersAndPages(false).build(probe).fingerprint());
    assertEquals(right.hash(probe), usersAndPages(false).build().hash(probe));
    assertEquals(
        usersAndPages(false).build().fingerprint(), usersAndPages(true).build().fingerprint());
  }

  @Test
  void badProbesAreRefused() {
    CompositeBuilder<Click> builder = usersAndPages(false);
    Refusals.assertRefused(
        NullPointerException.class, () -> builder.build(Refusals.<Click>absent()), "probe");
    Refusals.assertRefused(
        NullPointerException.class,
        () -> builder.build(new Click("a", Refusals.absent(), 0)),
        "page");
    long[] calls = new long[1];
    CompositeBuilder<Click> unstable =
        HashStrategies.<Click>composite().longField("second", click -> calls[0]++);
    Refusals.assertRefused(
        () -> unstable.build(new Click("a", "b", 0)), "composite(second=longs(rrmxmx))");
  }

  private static HashStrategy<Click> usersAndSeconds(HashStrategy<CharSequence> users) {
    return HashStrategies.<Click>composite()
        .field("user", Click::user, users)
        .longField("second", Click::second)
        .build();
  }
}
