package io.bloomkit.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.bench.subject.Subject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadTest {

  private static final int ELEMENTS = 10_000;
  private static final double FPP = 1e-9; // no key is falsely positive

  @ParameterizedTest
  @EnumSource
  void additionWhoseResultIsUsedReportsEachNewKey(Keys keys) {
    Workload workload = filled(keys);

    assertEquals(0, workload.addUsed(0, ELEMENTS));
    workload.renew();
    assertEquals(ELEMENTS, workload.run(Operation.ADD_USED, 0, ELEMENTS));
    assertEquals(ELEMENTS, workload.queryPresent(0, ELEMENTS));
  }

  /** Six standard deviations of a fair coin: α is 2·10⁻⁹, and the seed is fixed. */
  @ParameterizedTest
  @EnumSource
  void halfOfTheMixedKeysIsPresent(Keys keys) {
    int positives = filled(keys).run(Operation.QUERY_MIXED, 0, ELEMENTS);

    assertTrue(Math.abs(positives - ELEMENTS / 2) < 300, () -> "positives: " + positives);
  }

  private static Workload filled(Keys keys) {
    Workload workload = keys.workload(Subject.CLASSIC, ELEMENTS, FPP, ELEMENTS);
    workload.renew();
    workload.add(0, ELEMENTS);
    return workload;
  }
}
