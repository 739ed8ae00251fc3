package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.hash.HashStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Compares bulk operations with single ones, and checks that bad ranges are rejected. */
final class BulkChecks {

  private BulkChecks() {}

  static <T> long[] hashes(HashStrategy<? super T> strategy, List<T> elements) {
    return elements.stream().mapToLong(strategy::hash).toArray();
  }

  static <T> void addAllEqualsAdd(
      Supplier<? extends InsertableFilter<T>> filters,
      LongFunction<? extends T> elements,
      List<T> added) {
    InsertableFilter<T> single = filters.get();
    long returnedTrue = added.stream().filter(single::add).count();
    Observation expected = Observation.of(single, elements);

    InsertableFilter<T> bulk = filters.get();
    assertEquals(returnedTrue, bulk.addAll(added), "how many additions addAll reports");
    assertEquals(expected, Observation.of(bulk, elements), "addAll against add");

    InsertableFilter<T> hashed = filters.get();
    long[] hashes = hashes(hashed.strategy(), added);
    long[] given = hashes.clone();
    assertEquals(returnedTrue, hashed.addHashes(hashes), "how many additions addHashes reports");
    assertEquals(expected, Observation.of(hashed, elements), "addHashes against add");
    assertArrayEquals(given, hashes, "addHashes changed the array it was given");
  }

  static <T> void addHashesOfARangeEqualsAddHash(
      Supplier<? extends InsertableFilter<T>> filters,
      LongFunction<? extends T> elements,
      List<T> added,
      int offset,
      int length) {
    InsertableFilter<T> single = filters.get();
    long[] hashes = hashes(single.strategy(), added);
    long returnedTrue = 0;
    for (int i = offset; i < offset + length; i++) {
      returnedTrue += single.addHash(hashes[i]) ? 1 : 0;
    }
    InsertableFilter<T> bulk = filters.get();
    assertEquals(returnedTrue, bulk.addHashes(hashes, offset, length));
    assertEquals(
        Observation.of(single, elements),
        Observation.of(bulk, elements),
        "addHashes of a range against addHash");
  }

  /** More elements than a filter with a small fixed capacity accepts. */
  private static final int MANY = 5000;

  static <T> void refusedAdditionsOfManyAddNothing(
      Supplier<? extends InsertableFilter<T>> filters, LongFunction<? extends T> elements) {
    List<T> many = LongStream.range(0, MANY).<T>mapToObj(elements).toList();
    long[] hashes = hashes(filters.get().strategy(), many);
    addsNothingIfItThrows("addAll", filters.get(), elements, filter -> filter.addAll(many));
    addsNothingIfItThrows("addHashes", filters.get(), elements, filter -> filter.addHashes(hashes));
    addsNothingIfItThrows(
        "addHashes of a range",
        filters.get(),
        elements,
        filter -> filter.addHashes(hashes, 1, MANY - 2));
  }

  private static <T> void addsNothingIfItThrows(
      String name,
      InsertableFilter<T> filter,
      LongFunction<? extends T> elements,
      Consumer<InsertableFilter<T>> addition) {
    LongStream.range(0, 5).forEach(i -> filter.add(elements.apply(i)));
    Observation before = Observation.of(filter, elements);
    try {
      addition.accept(filter);
    } catch (IllegalStateException full) {
      assertEquals(before, Observation.of(filter, elements), name + " threw and added something");
    }
  }

  static <T> void queriesOfManyEqualQueriesOfOne(
      InsertableFilter<T> filter, List<T> queried, int offset, int length) {
    boolean[] expected = new boolean[queried.size()];
    int positives = 0;
    for (int i = 0; i < expected.length; i++) {
      expected[i] = filter.mightContain(queried.get(i));
      positives += expected[i] ? 1 : 0;
    }
    assertArrayEquals(expected, filter.mightContainEach(queried), "mightContainEach");

    long[] hashes = hashes(filter.strategy(), queried);
    boolean[] answers = new boolean[hashes.length];
    assertEquals(positives, filter.mightContainHashes(hashes, answers), "how many are positive");
    assertArrayEquals(expected, answers, "mightContainHashes");

    // The opposite of each right answer, to detect what the call does not set or sets wrongly.
    for (int i = 0; i < answers.length; i++) {
      answers[i] = !expected[i];
    }
    boolean[] opposite = answers.clone();
    int positivesInRange = filter.mightContainHashes(hashes, offset, length, answers);
    int expectedInRange = 0;
    for (int i = 0; i < answers.length; i++) {
      boolean inRange = i >= offset && i < offset + length;
      expectedInRange += inRange && expected[i] ? 1 : 0;
      assertEquals(inRange ? expected[i] : opposite[i], answers[i], "answer " + i);
    }
    assertEquals(expectedInRange, positivesInRange, "how many of the range are positive");
  }

  static <T> void removeHashesOfARangeEqualsRemoveHash(
      DeletableFilter<T> single,
      DeletableFilter<T> bulk,
      LongFunction<? extends T> elements,
      long[] hashes,
      int offset,
      int length) {
    single.addHashes(hashes);
    bulk.addHashes(hashes);
    long returnedTrue = 0;
    for (int i = offset; i < offset + length; i++) {
      returnedTrue += single.removeHash(hashes[i]) ? 1 : 0;
    }
    assertEquals(returnedTrue, bulk.removeHashes(hashes, offset, length));
    assertEquals(
        Observation.of(single, elements),
        Observation.of(bulk, elements),
        "removeHashes of a range against removeHash");
  }

  /** Ranges {offset, length} that do not lie within an array of three elements. */
  private static final int[][] BAD_RANGES = {
    {-1, 1}, {0, -1}, {0, 4}, {3, 1}, {4, 0}, {2, Integer.MAX_VALUE}, {Integer.MIN_VALUE, 1}
  };

  static <T> void badRangesAreRefused(
      InsertableFilter<T> filter, LongFunction<? extends T> elements) {
    long[] hashes =
        hashes(
            filter.strategy(),
            List.of(elements.apply(700), elements.apply(701), elements.apply(702)));
    Observation before = Observation.of(filter, elements);
    for (int[] range : BAD_RANGES) {
      String name = Arrays.toString(range);
      boolean[] answers = {true, false, true};
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> filter.addHashes(hashes, range[0], range[1]),
          () -> "addHashes " + name);
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> filter.mightContainHashes(hashes, range[0], range[1], answers),
          () -> "mightContainHashes " + name);
      assertArrayEquals(new boolean[] {true, false, true}, answers, "answers of a refused query");
      if (filter instanceof DeletableFilter<T> deletable) {
        assertThrows(
            IndexOutOfBoundsException.class,
            () -> deletable.removeHashes(hashes, range[0], range[1]),
            () -> "removeHashes " + name);
      }
    }
    boolean[] tooFew = {true, false};
    assertThrows(IndexOutOfBoundsException.class, () -> filter.mightContainHashes(hashes, tooFew));
    assertArrayEquals(new boolean[] {true, false}, tooFew, "answers of a refused query");
    assertEquals(before, Observation.of(filter, elements), "a refused range changed the filter");
  }
}
