package io.bloomkit.cli.experiment.ids;

import io.bloomkit.cli.experiment.MeasuredRate;
import io.bloomkit.format.FilterLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the experiment found out about a filter.
 *
 * @param filter its name
 * @param layout what it was made of when it was full
 * @param bytes what it took then
 * @param elements how many ids it was given
 * @param buildNanosPerOperation the time to hash and add an id
 * @param queryNanosPerOperation the time to hash and query a random text
 * @param falseNegatives how many queries of ids were negative
 * @param queries how many random texts were queried
 * @param rate how many of those that are no id were positive
 * @param expectedFpp what the formula says for its state
 * @param removal what came of removing half of the ids, if it can remove
 * @param curve its rates while it filled
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
   * @param removed how many ids
   * @param falseNegatives how many queries of the others were negative
   * @param rate how many queries of the removed were still positive
   * @param expectedFpp what the formula says for its state
   * @param answersAsRebuilt whether it answers and counts as a filter that only ever saw the others
   * @param equalsRebuilt whether it equals that filter; null where equal contents need not be equal
   */
  record Removal(
      int removed,
      long falseNegatives,
      MeasuredRate rate,
      double expectedFpp,
      boolean answersAsRebuilt,
      @Nullable Boolean equalsRebuilt) {}

  /**
   * A moment while a filter fills.
   *
   * @param elements how many ids it had
   * @param expectedFpp what the formula said for its state
   * @param rate what a sample of queries gave; only some moments have one
   */
  record Checkpoint(int elements, double expectedFpp, @Nullable MeasuredRate rate) {}
}
