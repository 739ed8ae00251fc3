package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.hash.HashStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Compares bulk operations with single ones, and checks that bad ranges are rejected. */
final class BulkChecks {

  private BulkChecks() {}

  static <T> long[] hashes(HashStrategy<? super T> strategy, List<T> elements) {
    return elements.stream().mapToLong(strategy::hash).toArray();
  }

  static <T> void addHashesEqualsAddHash(
      Supplier<? extends InsertableFilter<T>> filters,
      LongFunction<? extends T> elements,
      List<T> added,
      int offset,
      int length) {
    InsertableFilter<T> single = filters.get();
    long[] hashes = hashes(single.strategy(), added);
    boolean[] expected = everySecond(hashes.length);
    boolean[] answers = expected.clone();
    long returnedTrue = 0;
    for (int i = offset; i < offset + length; i++) {
      expected[i] = single.addHash(hashes[i]);
      returnedTrue += expected[i] ? 1 : 0;
    }
    ObservableState state = ObservableState.of(single, elements);
    InsertableFilter<T> bulk = filters.get();
    long[] given = hashes.clone();
    assertEquals(returnedTrue, bulk.addHashes(hashes, offset, length), "result of addHashes");
    state.assertSame(ObservableState.of(bulk, elements), "after addHashes instead of addHash");
    assertArrayEquals(given, hashes, "addHashes changed the array it was given");
    InsertableFilter<T> answering = filters.get();
    assertEquals(
        returnedTrue,
        answering.addHashes(hashes, offset, length, answers),
        "result of addHashes with answers");
    assertArrayEquals(expected, answers, "answers of addHashes");
    state.assertSame(ObservableState.of(answering, elements), "after addHashes with answers");
    assertArrayEquals(given, hashes, "addHashes changed the array it was given");
  }

  /** More elements than a filter with a small fixed capacity accepts. */
  private static final int MANY = 5000;

  static <T> void refusedAdditionsOfManyAddNothing(
      Supplier<? extends InsertableFilter<T>> filters, LongFunction<? extends T> elements) {
    List<T> many = LongStream.range(0, MANY).<T>mapToObj(elements).toList();
    long[] hashes = hashes(filters.get().strategy(), many);
    InsertableFilter<T> filter = filters.get();
    LongStream.range(0, 5).forEach(i -> filter.add(elements.apply(i)));
    ObservableState before = ObservableState.of(filter, elements);
    try {
      filter.addHashes(hashes, 1, MANY - 2);
    } catch (IllegalStateException full) {
      before.assertSame(ObservableState.of(filter, elements), "after addHashes threw");
    }
  }

  static <T> void queriesOfManyEqualQueriesOfOne(
      MembershipFilter<T> filter, List<T> queried, int offset, int length) {
    boolean[] expected = new boolean[queried.size()];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = filter.mightContain(queried.get(i));
    }
    long[] hashes = hashes(filter.strategy(), queried);
    boolean[] answers = new boolean[hashes.length];
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
      assertEquals(
          inRange ? expected[i] : opposite[i],
          answers[i],
          "answer " + i + " of mightContainHashes from " + offset + ", " + length);
    }
    assertEquals(expectedInRange, positivesInRange, "how many of the range are positive");
  }

  static <T> void removeHashesEqualsRemoveHash(
      Supplier<? extends DeletableFilter<T>> filters,
      LongFunction<? extends T> elements,
      List<T> added,
      int offset,
      int length) {
    DeletableFilter<T> single = filters.get();
    long[] hashes = hashes(single.strategy(), added);
    // Half of them, some of these twice: so some removals find nothing.
    single.addHashes(hashes, 0, hashes.length / 2);
    boolean[] expected = everySecond(hashes.length);
    boolean[] answers = expected.clone();
    long returnedTrue = 0;
    for (int i = offset; i < offset + length; i++) {
      expected[i] = single.removeHash(hashes[i]);
      returnedTrue += expected[i] ? 1 : 0;
    }
    ObservableState state = ObservableState.of(single, elements);
    DeletableFilter<T> bulk = filters.get();
    bulk.addHashes(hashes, 0, hashes.length / 2);
    assertEquals(returnedTrue, bulk.removeHashes(hashes, offset, length), "result of removeHashes");
    state.assertSame(
        ObservableState.of(bulk, elements), "after removeHashes instead of removeHash");
    DeletableFilter<T> answering = filters.get();
    answering.addHashes(hashes, 0, hashes.length / 2);
    assertEquals(
        returnedTrue,
        answering.removeHashes(hashes, offset, length, answers),
        "result of removeHashes with answers");
    assertArrayEquals(expected, answers, "answers of removeHashes");
    state.assertSame(ObservableState.of(answering, elements), "after removeHashes with answers");
  }

  /** Returns answers of which every second one is true, to detect what a call does not set. */
  private static boolean[] everySecond(int length) {
    boolean[] answers = new boolean[length];
    for (int i = 0; i < length; i += 2) {
      answers[i] = true;
    }
    return answers;
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
    ObservableState before = ObservableState.of(filter, elements);
    for (int[] range : BAD_RANGES) {
      String name = Arrays.toString(range);
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> filter.addHashes(hashes, range[0], range[1]),
          () -> "addHashes " + name);
      boolean[] answers = new boolean[hashes.length];
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> filter.addHashes(hashes, range[0], range[1], answers),
          () -> "addHashes with answers " + name);
      if (filter instanceof DeletableFilter<T> deletable) {
        assertThrows(
            IndexOutOfBoundsException.class,
            () -> deletable.removeHashes(hashes, range[0], range[1]),
            () -> "removeHashes " + name);
      }
    }
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> filter.addHashes(hashes, 0, 3, new boolean[2]),
        "addHashes with too few answers");
    badRangesOfQueriesAreRefused(filter, hashes);
    before.assertSame(ObservableState.of(filter, elements), "after refused ranges");
  }

  /** Checks queries of bad ranges of three hashes, and of more hashes than there are answers. */
  static void badRangesOfQueriesAreRefused(MembershipFilter<?> filter, long[] hashes) {
    for (int[] range : BAD_RANGES) {
      badRangeOfQueriesIsRefused(filter, hashes, range[0], range[1], true, false, true);
    }
    badRangeOfQueriesIsRefused(filter, hashes, 0, 3, true, false);
  }

  private static void badRangeOfQueriesIsRefused(
      MembershipFilter<?> filter, long[] hashes, int offset, int length, boolean... answers) {
    boolean[] before = answers.clone();
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> filter.mightContainHashes(hashes, offset, length, answers),
        () -> "mightContainHashes from " + offset + ", " + length);
    assertArrayEquals(before, answers, "answers of a refused query");
  }
}
