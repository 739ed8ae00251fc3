package io.bloomkit.cuckoo;

import org.jspecify.annotations.Nullable;

/** Batches in bulk, however short: a filter itself adds short ones one by one. */
final class Batches {

  private Batches() {}

  static boolean[] addAll(DynamicFingerprints counts, long... hashes) {
    boolean[] answers = new boolean[hashes.length];
    addition(counts, Integer.MAX_VALUE, hashes, answers).run();
    return answers;
  }

  /**
   * Adds all but the hashes of the last chunk, and takes them back.
   *
   * @throws OutOfMemoryError always
   */
  static void addAllInVain(DynamicFingerprints counts, long... hashes) {
    addition(counts, 1, hashes, null).run();
  }

  private static BulkAddition addition(
      DynamicFingerprints counts, int updates, long[] hashes, boolean @Nullable [] answers) {
    long most = counts.distinct() + hashes.length;
    return new BulkAddition(counts, hashes, 0, hashes.length, most, hashes.length, answers) {
      private int left = updates;

      @Override
      boolean update(Chunk chunk, int from, int to) {
        if (left == 0) {
          throw new OutOfMemoryError("of the test");
        }
        boolean isDone = super.update(chunk, from, to);
        left -= isDone ? 1 : 0;
        return isDone;
      }
    };
  }
}
