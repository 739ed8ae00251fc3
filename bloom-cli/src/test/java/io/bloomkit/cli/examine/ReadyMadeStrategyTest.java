package io.bloomkit.cli.examine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.ExamineRun;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.CompositeBuilder;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.keys.KeySource;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ReadyMadeStrategyTest {

  /** Too few for a verdict, but no question needs more. */
  private static final int FEW_KEYS = 1 << 11;

  private static final ReadyMadeStrategy.Settings SETTINGS =
      new ReadyMadeStrategy.Settings(5, () -> new byte[16]);

  private static Subject<?> subject(String name) {
    return Objects.requireNonNull(ReadyMadeStrategy.of(name, SETTINGS), name);
  }

  private static List<KeySource> suitable(String name) {
    KeyForm<?> form = subject(name).form();
    boolean isNumber = form.equals(KeyForm.LONG) || form.equals(KeyForm.INT);
    return Stream.of(KeySource.values()).filter(kind -> !isNumber || kind.isNumeric()).toList();
  }

  /** All strategies on every kind of keys, a finding being as unlikely as on many keys. */
  @Tag("campaign")
  @TestFactory
  Stream<DynamicTest> nothingIsFoundOnAnyKindOfKeys() {
    return ReadyMadeStrategy.names().stream()
        .flatMap(
            name ->
                suitable(name).stream()
                    .map(
                        kind ->
                            DynamicTest.dynamicTest(
                                name + " on " + kind.label(), () -> assertNoFinding(name, kind))));
  }

  private static void assertNoFinding(String name, KeySource kind) {
    ExamineRun run =
        ExamineRun.of(
            "--strategy=" + name, "--generate=" + kind.label(), "--items=" + FEW_KEYS, "--json");
    assertEquals("INCONCLUSIVE", run.verdict(), run.out());
    assertTrue(run.tests().keySet().containsAll(List.of("bits", "positions", "rate in cuckoo")));
  }

  /** By their ids, with Murmur's salt. */
  @Test
  void everyStrategyOfHashStrategiesHasAName() throws ReflectiveOperationException {
    Set<String> ids = new TreeSet<>();
    for (Method method : HashStrategies.class.getMethods()) {
      if (method.getDeclaringClass() == HashStrategies.class
          && method.getReturnType() != CompositeBuilder.class
          && !method.getName().equals("seeded")) {
        ids.addAll(ids(method));
      }
    }
    assertEquals(
        ids,
        ReadyMadeStrategy.names().stream()
            .map(name -> subject(name).strategy().id())
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static Set<String> ids(Method method) throws ReflectiveOperationException {
    List<BytesHashStrategy> bytesHashes =
        List.of(
            HashStrategies.md5(),
            HashStrategies.sha384(),
            HashStrategies.murmur3(5),
            HashStrategies.sipHash24(new byte[16]));
    Set<String> ids = new TreeSet<>();
    if (method.getParameterCount() == 0) {
      ids.add(((HashStrategy<?>) method.invoke(null)).id());
    } else if (method.getParameterTypes()[0] == BytesHashStrategy.class) {
      for (BytesHashStrategy hash : bytesHashes) {
        ids.add(((HashStrategy<?>) method.invoke(null, hash)).id());
      }
    } else { // a salt or a key
      Object argument = method.getParameterTypes()[0] == int.class ? 5 : new byte[16];
      ids.add(((HashStrategy<?>) method.invoke(null, argument)).id());
    }
    return ids;
  }

  @Test
  void otherNamesHaveNone() {
    for (String name :
        List.of("", ":", "md5:utf8", "chars:md5", "utf8:utf8", "UTF8", "utf8:md5:")) {
      assertNull(ReadyMadeStrategy.of(name, SETTINGS), name);
    }
    assertNotNull(ReadyMadeStrategy.of("uuids:siphash24", SETTINGS));
  }
}
