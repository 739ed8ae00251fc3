package io.bloomkit.internal.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElementCountTest {

  private static final OptionalLong UNKNOWN = OptionalLong.empty();

  private static OptionalLong countOf(long count) {
    return OptionalLong.of(count);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countsWhatIsAdded(boolean concurrent) {
    ElementCount count = new ElementCount(concurrent, countOf(5));
    assertEquals(concurrent, count.isConcurrent());
    count.add(3);
    count.add(-1);
    assertEquals(7, count.sum());
    assertEquals(countOf(7), count.get());
    assertEquals("7", count.toString());
    count.set(countOf(2));
    assertEquals(countOf(2), count.get());
  }

  @Test
  void plainAdditionsCountToo() {
    ElementCount count = new ElementCount(false, countOf(1));
    count.addPlain(2);
    assertEquals(countOf(3), count.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void unknownCountStaysUnknownUntilItIsSet(boolean concurrent) {
    ElementCount count = new ElementCount(concurrent, UNKNOWN);
    count.add(3);
    assertEquals(UNKNOWN, count.get());
    assertEquals("unknown", count.toString());
    count.set(countOf(0));
    assertEquals(countOf(0), count.get());
    count.set(UNKNOWN);
    assertEquals(UNKNOWN, count.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countAboveTheLargestLongIsUnknown(boolean concurrent) {
    ElementCount count = new ElementCount(concurrent, countOf(Long.MAX_VALUE));
    assertEquals(countOf(Long.MAX_VALUE), count.get());
    count.add(1);
    assertEquals(UNKNOWN, count.get());
  }

  @Test
  void sumThatMissesAnInsertionIsZero() {
    ElementCount count = new ElementCount(true, countOf(0));
    count.add(-1);
    assertEquals(countOf(0), count.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countsAreMergedAndSubtracted(boolean concurrent) {
    ElementCount count = new ElementCount(concurrent, countOf(5));
    ElementCount two = new ElementCount(!concurrent, countOf(2));
    count.merge(two);
    assertEquals(countOf(7), count.get());
    count.subtract(two);
    assertEquals(countOf(5), count.get());
    count.merge(count);
    assertEquals(countOf(10), count.get());
    assertEquals(countOf(2), two.get());
    count.merge(new ElementCount(false, countOf(Long.MAX_VALUE - 9)));
    assertEquals(UNKNOWN, count.get(), "above the largest long");
  }

  @Test
  void aSumWithAnUnknownCountIsUnknown() {
    ElementCount none = new ElementCount(false, UNKNOWN);
    ElementCount merged = new ElementCount(false, countOf(5));
    merged.merge(none);
    assertEquals(UNKNOWN, merged.get());
    ElementCount subtracted = new ElementCount(false, countOf(5));
    subtracted.subtract(none);
    assertEquals(UNKNOWN, subtracted.get());
    none.merge(new ElementCount(false, countOf(5)));
    assertEquals(UNKNOWN, none.get());
    none.subtract(new ElementCount(false, countOf(5)));
    assertEquals(UNKNOWN, none.get());
  }
}
