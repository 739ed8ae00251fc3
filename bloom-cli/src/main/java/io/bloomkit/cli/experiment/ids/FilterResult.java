package io.bloomkit.cli.experiment.ids;

import io.bloomkit.cli.experiment.MeasuredRate;
import io.bloomkit.format.FilterLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of the experiment for one filter.
 *
 * @param filter the name of the filter
 * @param layout the layout of the full filter
 * @param bytes the memory of the full filter
 * @param elements the number of ids added
 * @param buildNanosPerOperation the time to hash and add an id
 * @param queryNanosPerOperation the time to hash and query a random text
 * @param falseNegatives the number of ids whose queries were negative
 * @param queries the number of random texts queried
 * @param rate the measured false-positive rate among the texts that are not ids
 * @param expectedFpp the rate that the formula predicts for the state
 * @param removal the results of removing half of the ids; null if the filter does not support
 *     removal
 * @param curve the rates while the filter was filled
 */
record FilterResult(
    String filter,
    FilterLayout layout,
    long bytes,
    int elements,
    double buildNanosPerOperation,
    double queryNanosPerOperation,
    long falseNegatives,
    long queries,
    MeasuredRate rate,
    double expectedFpp,
    @Nullable Removal removal,
    List<Checkpoint> curve) {

  /**
   * A filter after half of its ids were removed.
   *
   * @param removed the number of removed ids
   * @param falseNegatives the number of remaining ids whose queries were negative
   * @param rate the measured false-positive rate among the removed ids
   * @param expectedFpp the rate that the formula predicts for the state
   * @param answersAsRebuilt whether its answers and counts equal those of a filter to which only
   *     the remaining ids were added
   * @param equalsRebuilt whether it equals that filter; null if filters with the same contents need
   *     not be equal
   */
  record Removal(
      int removed,
      long falseNegatives,
      MeasuredRate rate,
      double expectedFpp,
      boolean answersAsRebuilt,
      @Nullable Boolean equalsRebuilt) {}

  /**
   * A moment while a filter is filled.
   *
   * @param elements the number of ids added so far
   * @param expectedFpp the rate that the formula predicts for the state
   * @param rate the rate measured by a sample of queries, or null if none was taken
   */
  record Checkpoint(int elements, double expectedFpp, @Nullable MeasuredRate rate) {}
}
