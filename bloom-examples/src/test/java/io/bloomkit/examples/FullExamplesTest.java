package io.bloomkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.examples.Examples.Example;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;

/**
 * Runs each example at its default size and compares its figures with those of docs/examples.md,
 * except those that differ from run to run.
 */
@Tag("campaign")
class FullExamplesTest extends ExamplesTest {

  /**
   * Of times, of races, of random keys and ports, of Caffeine, which draws random numbers, and of
   * tables whose second buckets depend on a number drawn per process.
   */
  private static final Pattern VARYING =
      Pattern.compile(
          "reads with.*|pages .*|links followed|delta of an hour|filter of the list"
              + "|clicks .*|repeated clicks .*|layers, .*|memory of the filter|.*Caffeine.*"
              + "|false positives, (random key|random port|eight threads)");

  @Override
  int size(Example example) {
    return example.size();
  }

  @Override
  void assertShows(String label, String shown, String printed) {
    super.assertShows(label, shown, printed);
    if (!VARYING.matcher(label).matches()) {
      assertEquals(shown, printed, label);
    }
  }
}
