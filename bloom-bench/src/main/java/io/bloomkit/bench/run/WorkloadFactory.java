package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;

/** Creates workloads for {@link OwnClasses}, which refers to the classes that it loads by name. */
public final class WorkloadFactory {

  private WorkloadFactory() {}

  /**
   * Creates a workload.
   *
   * @param subject the name of a {@link Subject}
   * @param keys the name of {@link Keys}
   * @param queries the number of absent keys
   */
  public static Workload create(
      String subject, String keys, int elements, double fpp, int queries) {
    return Keys.valueOf(keys).workload(Subject.valueOf(subject), elements, fpp, queries);
  }
}
