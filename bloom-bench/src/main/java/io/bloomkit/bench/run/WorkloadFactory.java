package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;

/** Makes workloads for {@link OwnClasses}, which knows its own classes by names only. */
public final class WorkloadFactory {

  private WorkloadFactory() {}

  /**
   * Makes a workload.
   *
   * @param subject the name of a {@link Subject}
   * @param keys the name of {@link Keys}
   * @param queries how many keys there are that the filter is not to hold
   */
  public static Workload create(
      String subject, String keys, int elements, double fpp, int queries) {
    return Keys.valueOf(keys).workload(Subject.valueOf(subject), elements, fpp, queries);
  }
}
