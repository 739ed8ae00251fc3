package io.bloomkit.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.bench.subject.Subject;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests which metrics a filter gets. No test asserts a time. */
class FilterBenchmarkTest {

  private static Map<String, Double> measured(Subject subject, int threads) {
    FilterBenchmark benchmark = new FilterBenchmark();
    benchmark.subject = subject;
    benchmark.keys = Keys.LONGS;
    benchmark.elements = 1000;
    benchmark.fpp = 0.01;
    benchmark.threads = threads;
    benchmark.prepare();
    Metrics.beginIteration();
    benchmark.run();
    benchmark.end();
    return Metrics.ofIteration();
  }

  private static Set<String> operations(Map<String, Double> metrics) {
    return Stream.of(Operation.values())
        .map(Operation::time)
        .filter(metrics::containsKey)
        .collect(Collectors.toSet());
  }

  @Test
  void everyOperationThatAFilterHasIsMeasured() {
    assertEquals(10, operations(measured(Subject.COUNTING, 1)).size());
    assertEquals(
        Set.of("ADD", "ADD_USED", "QUERY_PRESENT", "QUERY_ABSENT", "QUERY_MIXED", "REMOVE"),
        operations(measured(Subject.FAST_FILTER_COUNTING, 1)));
    assertEquals(
        Set.of("ADD", "ADD_USED", "QUERY_PRESENT", "QUERY_ABSENT", "QUERY_MIXED"),
        operations(measured(Subject.BLOCKED_CONCURRENT, 2)));
  }

  @Test
  void bitsAreThoseOfTheFullFilter() {
    Map<String, Double> counting = measured(Subject.COUNTING, 1);
    Map<String, Double> dynamic = measured(Subject.DYNAMIC_CUCKOO, 1);

    assertEquals(38.4, counting.get(Metrics.BITS), 0.05); // 600 words
    assertEquals(12, dynamic.get(Metrics.BITS), 3); // the tables of a small filter vary
    assertTrue(dynamic.get(Metrics.GROWING_BITS) < counting.get(Metrics.GROWING_BITS));
  }
}
