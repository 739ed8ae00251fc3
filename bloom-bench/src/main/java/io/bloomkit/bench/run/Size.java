package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The false-positive rate and the size of a filter.
 *
 * @param fpp the share of absent keys that are positive
 * @param bits the number of bits per element
 */
public record Size(double fpp, double bits) {

  private static final int ELEMENTS = 1_000_000;
  private static final MathContext ROUNDING = new MathContext(2);
  private static final int HALVINGS = 20;
  private static final Map<List<Object>, Size> KNOWN = new ConcurrentHashMap<>();

  /**
   * Measures a filled filter. The result is computed once, since some filters have random seeds.
   */
  public static Size of(Subject subject, double fpp) {
    return KNOWN.computeIfAbsent(List.of(subject, fpp), key -> measure(subject, fpp));
  }

  private static Size measure(Subject subject, double fpp) {
    Workload workload = Keys.LONGS.workload(subject, ELEMENTS, fpp, ELEMENTS);
    workload.renew(0);
    workload.add(0, ELEMENTS);
    double positive = workload.queryAbsent(0, ELEMENTS);
    return new Size(rounded(positive / ELEMENTS), (double) workload.bits() / ELEMENTS);
  }

  /** Returns the planned false-positive rate at which a filter of Bloomkit has the same size. */
  public double fppOfSameBits(Subject ours) {
    double tooLow = 1e-9;
    double tooHigh = 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = Math.sqrt(tooLow * tooHigh);
      if (ours.maker.longs(ELEMENTS, middle, 0).bits() > bits * ELEMENTS) {
        tooLow = middle;
      } else {
        tooHigh = middle;
      }
    }
    return rounded(tooHigh);
  }

  private static double rounded(double value) {
    return new BigDecimal(value).round(ROUNDING).doubleValue();
  }
}
