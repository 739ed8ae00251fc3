package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.internal.AllocatedBytes;
import io.bloomkit.testkit.internal.ContractSeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.LongFunction;
import org.junit.jupiter.api.function.Executable;

/** Runs operations of a filter many times, with a warm-up, on elements that are created before. */
final class WarmOperations<T> {

  /** The number of elements, and the number of hashes. */
  private static final int COUNT = 100_000;

  /** The number of distinct hashes added: of elements, of given hashes and of longs. */
  static final int DISTINCT = 3 * COUNT;

  private static final int BATCH = 400;

  private final long[] hashes = new SplittableRandom(ContractSeeds.HISTORY).longs(COUNT).toArray();
  private final boolean[] answers = new boolean[COUNT];
  private final List<T> elements = new ArrayList<>(COUNT);

  WarmOperations(LongFunction<T> element) {
    for (long i = 0; i < COUNT; i++) {
      elements.add(element.apply(i));
    }
  }

  List<Executable> additionsAndQueries(InsertableFilter<T> filter) {
    return List.of(
        answer("add", i -> filter.add(elements.get(i))),
        answer("addHash", i -> filter.addHash(hashes[i])),
        batch("addHashes", i -> filter.addHashes(hashes, i, BATCH)),
        answer("mightContain", i -> filter.mightContain(elements.get(i))),
        answer("mightContainHash", i -> filter.mightContainHash(hashes[i])),
        batch("mightContainHashes", i -> filter.mightContainHashes(hashes, i, BATCH, answers)));
  }

  List<Executable> removals(DeletableFilter<T> filter) {
    return List.of(
        single("count", i -> filter.count(elements.get(i))),
        single("countHash", i -> filter.countHash(hashes[i])),
        answer("remove", i -> filter.remove(elements.get(i))),
        answer("removeHash", i -> filter.removeHash(hashes[i])),
        batch("removeHashes", i -> filter.removeHashes(hashes, i, BATCH)));
  }

  /** Returns the checks of the operations on unboxed longs. */
  List<Executable> longs(InsertableFilter<T> filter) {
    return List.of(
        answer("addLong", i -> filter.addLong(hashes[i])),
        answer("mightContainLong", i -> filter.mightContainLong(hashes[i])));
  }

  List<Executable> removalsOfLongs(DeletableFilter<T> filter) {
    return List.of(
        single("countLong", i -> filter.countLong(hashes[i])),
        answer("removeLong", i -> filter.removeLong(hashes[i])));
  }

  private static Executable answer(String name, IntPredicate operation) {
    return single(name, i -> operation.test(i) ? 1 : 0);
  }

  private static Executable single(String name, IntToLongFunction operation) {
    return check(name, operation, 1);
  }

  private static Executable batch(String name, IntToLongFunction operation) {
    return check(name, operation, BATCH);
  }

  private static Executable check(String name, IntToLongFunction operation, int step) {
    return () -> {
      long bytes = AllocatedBytes.inSteadyState(operation, COUNT, step);
      assertTrue(
          bytes <= AllocatedBytes.OF_THE_MEASUREMENT,
          () -> name + " took " + bytes + " bytes in " + COUNT / 5 / step + " operations");
    };
  }
}
