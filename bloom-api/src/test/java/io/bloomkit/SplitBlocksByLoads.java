package io.bloomkit;

/**
 * The rate of split blocks as the plain sum over loads: how many elements share words with a query.
 * No summand is negative, so nothing cancels.
 */
final class SplitBlocksByLoads {

  private SplitBlocksByLoads() {}

  /**
   * Of the elements, those that hash to the query's block and to one of its words at least are
   * Binomial(n, 13/28b); of these one in thirteen shares both words, six the first, six the second.
   */
  static double fpp(int n, int blocks, int perWord, int half, int mostSharing) {
    double[] ofWord = new double[mostSharing + 1]; // E[(X/P)^half] after a number of elements
    for (int elements = 0; elements <= mostSharing; elements++) {
      double[] law = BloomFormulas.distributionOfSetPositions(elements, perWord, half);
      for (int x = 0; x < law.length; x++) {
        ofWord[elements] += law[x] * Math.pow((double) x / perWord, half);
      }
    }
    double[][] sharesBoth = binomials(mostSharing, 1 / 13.0);
    double[][] sharesFirst = binomials(mostSharing, 0.5);
    double sum = 0;
    for (int sharing = 0; sharing <= Math.min(n, mostSharing); sharing++) {
      double given = 0;
      for (int both = 0; both <= sharing; both++) {
        int one = sharing - both;
        for (int first = 0; first <= one; first++) {
          given +=
              sharesBoth[sharing][both]
                  * sharesFirst[one][first]
                  * ofWord[both + first]
                  * ofWord[both + one - first];
        }
      }
      sum += binomial(n, sharing, 13 / (28.0 * blocks)) * given;
    }
    return sum;
  }

  /** P(Binomial(n, p) = j) at index n, j. */
  private static double[][] binomials(int most, double p) {
    double[][] law = new double[most + 1][most + 2];
    law[0][0] = 1;
    for (int n = 1; n <= most; n++) {
      law[n][0] = law[n - 1][0] * (1 - p);
      for (int j = 1; j <= n; j++) {
        law[n][j] = law[n - 1][j] * (1 - p) + law[n - 1][j - 1] * p;
      }
    }
    return law;
  }

  private static double binomial(int n, int j, double p) {
    double logOfWays = 0;
    for (int i = 1; i <= j; i++) {
      logOfWays += Math.log((n - j + i) / (double) i);
    }
    return Math.exp(logOfWays + j * Math.log(p) + (n - j) * Math.log1p(-p));
  }
}
