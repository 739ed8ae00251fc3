package io.bloomkit.testkit.stat;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.commons.math3.util.CombinatoricsUtils;

/**
 * The number of set positions if each element chooses a block, two different words of it and k/2
 * different positions in each of the two. Mean and variance are exact; see {@link BlockedFormulas}.
 *
 * <p>The distribution is a sum over cases: the number of elements in each block, and the number of
 * elements in each word of a block. All blocks are equivalent, and so are all words. Therefore a
 * case is a sorted list of these numbers, and there are few cases. Within a case, words are
 * independent.
 *
 * <p>The distribution assumes simpler choices than those of a {@link BlockedShape}: all 28 pairs of
 * words are equally likely, and so are all sets of k/2 positions of a word, independently in the
 * two words. In filters, pairs of words at a distance of 1 are a ninth more likely, and the
 * positions in a word are one of 256 masks with a rotation; up to k = 6, the second mask depends on
 * the first. So two elements in one word have equal positions more often: with k = 8 in words of
 * 64, with a probability of about 1/(64 · 256) instead of 1/635,376. The mean is the same. At up to
 * ten elements, the variance differs by less than 1 %, which {@link FillTest#ofLaw} does not
 * detect.
 */
record BlockedFillDistribution(BlockedShape shape) implements FillDistribution {

  private static final double PAIRS_OF_WORDS = 28;

  @Override
  public int hashes() {
    return shape.hashes();
  }

  @Override
  public String toString() {
    return shape.toString();
  }

  @Override
  public double mean(long elements) {
    return BlockedFormulas.expectedSetPositions(
        elements, shape.blocks(), shape.positionsPerBlock(), shape.hashes());
  }

  @Override
  public double variance(long elements) {
    return BlockedFormulas.varianceOfSetPositions(
        elements, shape.blocks(), shape.positionsPerBlock(), shape.hashes());
  }

  @Override
  public double[] distribution(long elements) {
    List<double[]> ofBlock = new ArrayList<>();
    for (int load = 0; load <= elements; load++) {
      ofBlock.add(mixture(loadsOfWords(load), this::ofWord));
    }
    return mixture(loads(elements), ofBlock::get);
  }

  /**
   * Returns the distribution of the number of set positions of a word with a number of elements.
   */
  private double[] ofWord(int elements) {
    int positions = shape.positionsPerWord();
    int perElement = shape.hashes() / 2;
    double sets = CombinatoricsUtils.binomialCoefficientDouble(positions, perElement);
    double[] law = {1};
    for (int element = 0; element < elements; element++) {
      double[] next = new double[Math.min(positions, law.length - 1 + perElement) + 1];
      for (int set = 0; set < law.length; set++) {
        int min = Math.max(0, perElement - set);
        int max = Math.min(perElement, positions - set);
        for (int fresh = min; fresh <= max; fresh++) {
          double choices =
              CombinatoricsUtils.binomialCoefficientDouble(positions - set, fresh)
                  * CombinatoricsUtils.binomialCoefficientDouble(set, perElement - fresh);
          next[set + fresh] += law[set] * choices / sets;
        }
      }
      law = next;
    }
    return law;
  }

  /** Returns the probability of each list of element counts of the non-empty blocks. */
  private Map<List<Integer>, Double> loads(long elements) {
    Map<List<Integer>, Double> loads = Map.of(List.of(), 1.0);
    for (long i = 0; i < elements; i++) {
      Map<List<Integer>, Double> next = new HashMap<>();
      loads.forEach(
          (counts, probability) -> {
            for (int block = 0; block < counts.size(); block++) {
              put(next, withOneMore(counts, block), probability / shape.blocks());
            }
            double others = shape.blocks() - (double) counts.size();
            if (others > 0) {
              List<Integer> one = new ArrayList<>(counts);
              one.add(1);
              put(next, one, probability * others / shape.blocks());
            }
          });
      loads = next;
    }
    return loads;
  }

  /** Returns the probability of each list of the numbers of elements in the words of a block. */
  private static Map<List<Integer>, Double> loadsOfWords(int elements) {
    Map<List<Integer>, Double> times =
        Map.of(Collections.nCopies(BlockedShape.WORDS_PER_BLOCK, 0), 1.0);
    for (int i = 0; i < elements; i++) {
      Map<List<Integer>, Double> next = new HashMap<>();
      times.forEach(
          (counts, probability) -> {
            for (int first = 0; first < counts.size(); first++) {
              for (int second = 0; second < first; second++) {
                List<Integer> both = withOneMore(withOneMore(counts, first), second);
                put(next, both, probability / PAIRS_OF_WORDS);
              }
            }
          });
      times = next;
    }
    return times;
  }

  private static List<Integer> withOneMore(List<Integer> counts, int index) {
    List<Integer> more = new ArrayList<>(counts);
    more.set(index, counts.get(index) + 1);
    return more;
  }

  private static void put(
      Map<List<Integer>, Double> probabilities, List<Integer> counts, double probability) {
    List<Integer> inOrder = new ArrayList<>(counts);
    Collections.sort(inOrder);
    probabilities.merge(inOrder, probability, Double::sum);
  }

  /** Returns the distribution of a sum over independent parts, as the mean over all cases. */
  private static double[] mixture(Map<List<Integer>, Double> cases, IntFunction<double[]> part) {
    double[] mixture = {};
    for (Map.Entry<List<Integer>, Double> entry : cases.entrySet()) {
      double[] sum = {1};
      for (int elements : entry.getKey()) {
        sum = elements == 0 ? sum : convolution(sum, part.apply(elements));
      }
      mixture = Arrays.copyOf(mixture, Math.max(mixture.length, sum.length));
      for (int x = 0; x < sum.length; x++) {
        mixture[x] += entry.getValue() * sum[x];
      }
    }
    return mixture;
  }

  private static double[] convolution(double[] a, double[] b) {
    double[] sum = new double[a.length + b.length - 1];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b.length; j++) {
        sum[i + j] += a[i] * b[j];
      }
    }
    return sum;
  }
}
