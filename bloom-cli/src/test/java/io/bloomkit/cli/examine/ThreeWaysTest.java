package io.bloomkit.cli.examine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.bloomkit.cli.ExamineRun;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.hash.ExaminationReport;
import io.bloomkit.testkit.hash.ExaminationTest;
import io.bloomkit.testkit.hash.HashStrategyContract;
import io.bloomkit.testkit.hash.HashStrategyExamination;
import io.bloomkit.testkit.keys.KeySource;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A test class, a call, and the command give one verdict, test by test. */
class ThreeWaysTest {

  private static final String GALLERY = GalleryOfStrategies.class.getName() + "#";

  /** Strategies as all three ways take them; the contract needs a class. */
  private record Example<T>(
      String name,
      HashStrategy<? super T> strategy,
      KeySource kind,
      LongFunction<T> keys,
      Class<? extends HashStrategyContract<T>> contract) {}

  @Tag("deep")
  @Test
  void theyGiveOneVerdictOnAHashThatIsUnfit() {
    assertOneVerdict(
        new Example<>(
            GALLERY + "IDENTITY",
            GalleryOfStrategies.IDENTITY,
            KeySource.SEQUENTIAL,
            KeySource.SEQUENTIAL.longs(1),
            IdentityOnRowNumbers.class));
  }

  @Tag("campaign")
  @TestFactory
  Stream<DynamicTest> theyGiveOneVerdict() {
    return Stream.of(
            new Example<>(
                "utf8",
                HashStrategies.utf8(),
                KeySource.TIMESTAMPS,
                KeySource.TIMESTAMPS.texts(1),
                Utf8OnTimestamps.class),
            new Example<>(
                "long",
                HashStrategies.longs(),
                KeySource.SEQUENTIAL,
                KeySource.SEQUENTIAL.longs(1),
                LongsOnRowNumbers.class),
            new Example<>(
                GALLERY + "IDENTITY",
                GalleryOfStrategies.IDENTITY,
                KeySource.RANDOM,
                KeySource.RANDOM.longs(1),
                IdentityOnRandomNumbers.class),
            new Example<>(
                GALLERY + "IDENTITY",
                GalleryOfStrategies.IDENTITY,
                KeySource.SEQUENTIAL,
                KeySource.SEQUENTIAL.longs(1),
                IdentityOnRowNumbers.class),
            new Example<>(
                GALLERY + "CONSTANT",
                GalleryOfStrategies.CONSTANT,
                KeySource.RANDOM,
                KeySource.RANDOM.longs(1),
                ConstantOnRandomNumbers.class),
            new Example<>(
                GALLERY + "WIDENED_HASH_CODE",
                GalleryOfStrategies.WIDENED_HASH_CODE,
                KeySource.IDS,
                KeySource.IDS.texts(1),
                WidenedHashCodeOnIds.class))
        .map(
            example ->
                DynamicTest.dynamicTest(
                    example.name + " on " + example.kind.label(), () -> assertOneVerdict(example)));
  }

  private static <T> void assertOneVerdict(Example<T> example) {
    ExaminationReport report =
        HashStrategyExamination.<T>of(example.strategy).elements(example.keys).seed(1).run();
    Map<String, Boolean> passed =
        report.tests().stream()
            .collect(
                Collectors.toMap(
                    ExaminationTest::name, ExaminationTest::passed, (a, b) -> a, TreeMap::new));

    ExamineRun command =
        ExamineRun.of("--json", "--strategy", example.name, "--generate", example.kind.label());
    assertEquals(report.verdict().name(), command.verdict());
    assertEquals(
        passed,
        command.tests().entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    test -> (Boolean) test.getValue().get("passed"),
                    (a, b) -> a,
                    TreeMap::new)));

    Map<String, TestExecutionResult> outcomes = outcomes(example.contract);
    Set<String> found = new TreeSet<>();
    report.findings().forEach(test -> found.add(test.name()));
    Set<String> failed = new TreeSet<>();
    outcomes.forEach(
        (name, outcome) -> {
          if (outcome.getStatus() != TestExecutionResult.Status.SUCCESSFUL
              && !name.equals("verdict")) {
            failed.add(name);
          }
        });
    assertEquals(found, failed);
    TestExecutionResult verdict = Objects.requireNonNull(outcomes.get("verdict"));
    if (command.exitCode() == 0) {
      assertEquals(TestExecutionResult.Status.SUCCESSFUL, verdict.getStatus());
    } else {
      String message = String.valueOf(verdict.getThrowable().orElseThrow().getMessage());
      assertEquals(
          report.verdict().name(), message.replaceFirst("(?s).*? is (\\w+) on .*", "$1"), message);
    }
  }

  /** How each dynamic test of a contract ended. */
  private static Map<String, TestExecutionResult> outcomes(Class<?> contract) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(contract))
        .execute()
        .testEvents()
        .finished()
        .stream()
        .collect(
            Collectors.toMap(
                event -> event.getTestDescriptor().getDisplayName(),
                event -> event.getRequiredPayload(TestExecutionResult.class)));
  }

  static final class Utf8OnTimestamps implements HashStrategyContract<String> {
    @Override
    public HashStrategy<? super String> strategy() {
      return HashStrategies.utf8();
    }

    @Override
    public String element(long index) {
      return KeySource.TIMESTAMPS.texts(1).apply(index);
    }
  }

  /** Numbers of a kind. */
  interface Numbers extends HashStrategyContract<Long> {
    KeySource kind();

    @Override
    default Long element(long index) {
      return kind().longs(1).apply(index);
    }
  }

  static final class LongsOnRowNumbers implements Numbers {
    @Override
    public HashStrategy<? super Long> strategy() {
      return HashStrategies.longs();
    }

    @Override
    public KeySource kind() {
      return KeySource.SEQUENTIAL;
    }
  }

  static final class IdentityOnRandomNumbers implements Numbers {
    @Override
    public HashStrategy<? super Long> strategy() {
      return GalleryOfStrategies.IDENTITY;
    }

    @Override
    public KeySource kind() {
      return KeySource.RANDOM;
    }
  }

  static final class IdentityOnRowNumbers implements Numbers {
    @Override
    public HashStrategy<? super Long> strategy() {
      return GalleryOfStrategies.IDENTITY;
    }

    @Override
    public KeySource kind() {
      return KeySource.SEQUENTIAL;
    }
  }

  static final class ConstantOnRandomNumbers implements Numbers {
    @Override
    public HashStrategy<? super Long> strategy() {
      return GalleryOfStrategies.CONSTANT;
    }

    @Override
    public KeySource kind() {
      return KeySource.RANDOM;
    }
  }

  static final class WidenedHashCodeOnIds implements HashStrategyContract<String> {
    @Override
    public HashStrategy<? super String> strategy() {
      return GalleryOfStrategies.WIDENED_HASH_CODE;
    }

    @Override
    public String element(long index) {
      return KeySource.IDS.texts(1).apply(index);
    }
  }
}
