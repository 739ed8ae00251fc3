package io.bloomkit.durable;

import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.StorableFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Random updates of a durable filter, and of a model without a log. The model is kept as it was
 * after each update.
 */
final class Workload {

  private static final int KEYS = 60;

  final Kind kind;
  final Kind.Clock clock = new Kind.Clock();
  final FilterBuilder<Long> builder;

  /** Whether some updates are batches, and some remove all elements. */
  boolean hasLargeUpdates;

  private final Random random;
  private final Updates model;

  /** The model after 0, 1, 2 ... updates. */
  final List<StorableFilter<Long>> models = new ArrayList<>();

  private final int[] counts = new int[KEYS];

  Workload(Kind kind, long seed) {
    this.kind = kind;
    this.builder = kind.builder(KEYS, clock);
    this.random = new Random(seed);
    this.model = Updates.of(builder.<Long>build());
    remember();
  }

  @SuppressWarnings("unchecked") // the model has the same elements
  private StorableFilter<Long> model() {
    return (StorableFilter<Long>) model.filter();
  }

  private void remember() {
    models.add(Kind.copy(model(), builder));
  }

  /** Returns the number of updates so far. */
  int updates() {
    return models.size() - 1;
  }

  /** Opens a filter in a storage, without background threads. */
  DurableFilter<Long> open(Storage storage, SyncPolicy policy) throws IOException {
    return open(storage, policy, Long.MAX_VALUE);
  }

  DurableFilter<Long> open(Storage storage, SyncPolicy policy, long segmentBytes)
      throws IOException {
    return open(storage, builder, policy, segmentBytes);
  }

  static DurableFilter<Long> open(
      Storage storage, FilterBuilder<Long> builder, SyncPolicy policy, long segmentBytes)
      throws IOException {
    return new DurableFilter<>(
        DurableFolder.open(
            storage.path(""),
            () -> {},
            storage,
            builder,
            null,
            new DurableFolder.Settings(policy, segmentBytes, Long.MAX_VALUE, 0, 0)));
  }

  /** Makes a random update of the filter and the model. */
  void update(DurableFilter<Long> filter) {
    if (kind.isExpiring() && random.nextInt(4) == 0) {
      clock.millis.addAndGet(random.nextInt(25));
    }
    int key = random.nextInt(KEYS);
    long hash = filter.filter().strategy().hash((long) key);
    long epoch = model.haveEpochs() ? model.epoch() : 0;
    if (hasLargeUpdates && random.nextInt(40) == 0) {
      Arrays.fill(counts, 0);
      update(
          () -> {
            filter.clear();
            return true;
          },
          () -> {
            model.clear();
            return true;
          });
      return;
    }
    if (hasLargeUpdates && random.nextInt(20) == 0) {
      addTogether(filter, epoch);
      return;
    }
    boolean isRemoval =
        model.canRemove() && random.nextInt(3) == 0 && (counts[key] > 0 || kind.isExpiring());
    if (isRemoval) {
      counts[key]--;
      update(() -> filter.log.remove(hash, filter.isEachDurable), () -> model.remove(hash, epoch));
    } else {
      counts[key]++;
      update(() -> filter.addHash(hash), () -> model.add(hash, epoch));
    }
  }

  /** Makes an update of both. One that throws may be in the filter, so it is in the model. */
  private void update(Supplier<Object> ofFilter, Supplier<Object> ofModel) {
    Object answer;
    Object expected;
    try {
      answer = ofFilter.get();
    } finally {
      expected = ofModel.get();
      remember();
    }
    if (!answer.equals(expected)) {
      throw new AssertionError("the answer is " + answer + ", not " + expected);
    }
  }

  /** Adds some keys, one of them twice, in one call. */
  private void addTogether(DurableFilter<Long> filter, long epoch) {
    int[] keys = random.ints(5, 0, KEYS).toArray();
    keys[4] = keys[1];
    long[] hashes = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      counts[keys[i]]++;
      hashes[i] = filter.filter().strategy().hash((long) keys[i]);
    }
    boolean[] answers = new boolean[keys.length];
    boolean[] expected = new boolean[keys.length];
    update(
        () -> filter.addHashes(hashes, 0, hashes.length, answers) + Arrays.toString(answers),
        () -> model.addAll(hashes, 0, hashes.length, epoch, expected) + Arrays.toString(expected));
  }

  /** What had happened at some moment. */
  record Moment(int events, int acknowledged, int updates, long millis) {}

  /**
   * Returns the largest number of updates, of the first ones, after which the model equals a
   * filter; −1 if there is none.
   */
  int updatesOf(StorableFilter<Long> filter, int most) {
    for (int i = most; i >= 0; i--) {
      if (models.get(i).equals(filter)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Fails unless a filter has all updates from the first to some later one, and all that were
   * acknowledged. Returns how many it has.
   */
  int check(StorableFilter<Long> filter, Moment moment, String situation) {
    clock.millis.set(moment.millis);
    int found = updatesOf(filter, moment.updates);
    if (found < moment.acknowledged) {
      throw new AssertionError(
          String.format(
              "%s, %s at %s: %s",
              situation,
              kind,
              moment,
              found < 0 ? "the updates are no prefix" : "there are only " + found + " updates"));
    }
    return found;
  }
}
