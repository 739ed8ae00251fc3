package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.HashStrategies;
import io.bloomkit.HashStrategy;
import org.junit.jupiter.api.Test;

class HashStrategyExaminationTest {

  @Test
  void theReadyMadeStrategyOverNumbersIsFitOnRowNumbers() {
    ExaminationReport report =
        HashStrategyExamination.of(HashStrategies.longs())
            .elements(KeySource.SEQUENTIAL.longs(1))
            .run();
    report.assertFit();
  }

  @Test
  void identityIsUnfitForRowNumbers() {
    ExaminationReport report =
        HashStrategyExamination.of(HashStrategy.of("identity", Long::longValue, 1L))
            .elements(KeySource.SEQUENTIAL.longs(1))
            .run();
    assertEquals(Verdict.UNFIT, report.verdict());
  }
}
