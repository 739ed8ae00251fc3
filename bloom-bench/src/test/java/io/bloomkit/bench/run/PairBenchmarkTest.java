package io.bloomkit.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.bench.subject.Subject;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a pair of filters is measured by; how fast they are is no matter of a test. */
class PairBenchmarkTest {

  private static Set<String> metricsOf(Subject subject, Subject peer, boolean peerFirst) {
    return new TreeSet<>(measured(subject, peer, peerFirst).keySet());
  }

  private static Map<String, Double> measured(Subject subject, Subject peer, boolean peerFirst) {
    PairBenchmark pair = new PairBenchmark();
    pair.subject = subject;
    pair.peer = peer;
    pair.keys = Keys.LONGS;
    pair.elements = 1000;
    pair.fpp = 0.01;
    pair.threads = 1;
    pair.peerThreads = 1;
    pair.peerFirst = peerFirst;
    pair.prepare();
    Metrics.beginIteration();
    pair.compare();
    pair.end();
    return Metrics.ofIteration();
  }

  private static Set<String> ratios(Stream<Operation> operations) {
    return operations
        .map(operation -> PairBenchmark.RATIO + operation.time())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> ratiosAmong(Set<String> metrics) {
    return metrics.stream()
        .filter(metric -> metric.startsWith(PairBenchmark.RATIO))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void formsForManyStandBesideSingleOnesOfAPeerThatHasNone() {
    Set<String> metrics = metricsOf(Subject.COUNTING, Subject.FAST_FILTER_COUNTING, false);

    assertEquals(ratios(Stream.of(Operation.values())), ratiosAmong(metrics));
    assertTrue(metrics.contains(PairBenchmark.PEER + Operation.ADD.time()));
    assertTrue(
        metrics.stream().noneMatch(m -> m.startsWith(PairBenchmark.PEER + "BATCH")),
        metrics::toString);
  }

  @Test
  void formsForManyOfAFilterStandBesideItsOwnSingleOnes() {
    Set<String> metrics = metricsOf(Subject.BLOCKED, Subject.BLOCKED, true);

    assertEquals(
        ratios(Stream.of(Operation.values()).filter(operation -> !operation.isRemoval())),
        ratiosAmong(metrics));
    assertTrue(
        metrics.stream().noneMatch(m -> m.startsWith(PairBenchmark.PEER + "BATCH")),
        metrics::toString);
  }

  @Test
  void whatAPeerCannotDoHasNoRatio() {
    Set<String> metrics = metricsOf(Subject.COUNTING, Subject.GUAVA, false);

    assertTrue(metrics.contains(Operation.REMOVE.time()));
    assertTrue(!metrics.contains(PairBenchmark.RATIO + Operation.REMOVE.time()), metrics::toString);
  }

  @Test
  void bitsAreThoseOfTheFullFilter() {
    Map<String, Double> metrics = measured(Subject.DYNAMIC_CUCKOO, Subject.COUNTING, false);

    assertEquals(12, metrics.get(Metrics.BITS) / 1000, 3); // the tables of a small filter vary
    assertEquals(38.4, metrics.get(PairBenchmark.PEER + Metrics.BITS) / 1000, 0.05); // 600 words
  }

  @Test
  void eachFilterHasClassesOfItsOwn() {
    Workload one = new OwnClasses().workload(Keys.LONGS, Subject.BLOCKED, 10, 0.01, 10);
    Workload other = new OwnClasses().workload(Keys.LONGS, Subject.BLOCKED, 10, 0.01, 10);

    assertNotSame(one.getClass(), other.getClass());
    assertNotSame(LongWorkload.class, one.getClass());
    assertEquals(LongWorkload.class.getName(), one.getClass().getName());
  }
}
