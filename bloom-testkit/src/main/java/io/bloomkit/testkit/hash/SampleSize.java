package io.bloomkit.testkit.hash;

import java.util.function.IntPredicate;

/** Finds the least number of keys that a test needs. */
final class SampleSize {

  private SampleSize() {}

  /**
   * Returns the least number from which a condition holds. If the condition alternates near that
   * number, the result may be a somewhat larger one.
   */
  static int smallest(IntPredicate condition) {
    int enough = 2;
    while (!condition.test(enough)) {
      enough = Math.multiplyExact(enough, 2);
    }
    int tooFew = enough / 2;
    while (enough - tooFew > 1) {
      int middle = (tooFew + enough) >>> 1;
      if (condition.test(middle)) {
        enough = middle;
      } else {
        tooFew = middle;
      }
    }
    return enough;
  }
}
