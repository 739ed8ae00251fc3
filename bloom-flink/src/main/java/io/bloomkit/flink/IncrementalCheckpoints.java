package io.bloomkit.flink;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.jspecify.annotations.Nullable;

/**
 * Decides what each checkpoint of a task writes. Of a key group, it writes the whole state once,
 * and then the additions since the last checkpoint that is complete, until these exceed a part of
 * the whole. So a key group is restored from a whole and a limited number of additions, which are
 * filters of the same plan.
 *
 * <p>With a bytes per checkpoint of additions and w of the whole, the mean is a + a/{@link
 * #MAX_ADDITIONS}, and additions are at most that part of w. Key groups are written whole at
 * different times, so checkpoints are about equally long, and hold few copies.
 *
 * <p>The first checkpoint of a task is whole. Used by the thread of the task.
 */
final class IncrementalCheckpoints<K> {

  /** The largest length of additions, as a part of that of the whole. */
  static final double MAX_ADDITIONS = 0.2;

  /** The largest number of pieces of a key group, so of files that a checkpoint refers to. */
  static final int MAX_PIECES = 64;

  /** After this many checkpoints without a complete one, the next one is whole. */
  private static final int MAX_ATTEMPTS = 8;

  /** The multiples of it, modulo 1, are even. */
  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

  /** A file of a checkpoint. */
  static final class SharedFile {

    final String name = UUID.randomUUID().toString();

    /** In the order of the checkpoints. */
    final long number;

    /** Set when it is written. */
    volatile @Nullable StreamStateHandle handle;

    SharedFile(long number) {
      this.number = number;
    }
  }

  /** A part of the state of a key group: the whole, or additions since the piece before it. */
  static final class Piece {

    final SharedFile file;

    /** Set when it is written, before the handle of the file. */
    long offset;

    long length;

    Piece(SharedFile file) {
      this.file = file;
    }
  }

  /**
   * What a checkpoint has of a key group.
   *
   * @param pieces the last one is in the checkpoint's own file
   * @param additions what was added since the checkpoint before it; null if it is complete, when
   *     nobody needs them
   */
  record Part<K>(List<Piece> pieces, KeyGroup.@Nullable Planned<K> additions) {}

  /** A checkpoint that was begun; the parts are null where a group has had no record. */
  record Attempt<K>(long checkpoint, SharedFile file, List<@Nullable Part<K>> parts) {

    Stream<SharedFile> files() {
      return parts.stream()
          .filter(part -> part != null)
          .flatMap(part -> part.pieces.stream())
          .map(piece -> piece.file)
          .distinct();
    }

    /** Returns the same without additions. */
    Attempt<K> completed() {
      List<@Nullable Part<K>> kept = new ArrayList<>();
      parts.forEach(part -> kept.add(part == null ? null : new Part<>(part.pieces, null)));
      return new Attempt<>(checkpoint, file, kept);
    }

    /** Returns the handles of the files of earlier checkpoints. */
    Collection<StreamStateHandle> earlierHandles() {
      List<StreamStateHandle> handles = new ArrayList<>();
      files()
          .forEach(
              one -> {
                StreamStateHandle handle = one.handle;
                if (handle != null && one != file) {
                  handles.add(handle);
                }
              });
      return handles;
    }
  }

  private final KeyGroupFilters<K> filters;
  private final UUID id = UUID.randomUUID();

  /** The last complete checkpoint. */
  private @Nullable Attempt<K> complete;

  /** Later checkpoints, of which none is known to be complete. */
  private final List<Attempt<K>> attempts = new ArrayList<>();

  private final boolean[] isRewritten;
  private long checkpoints;

  IncrementalCheckpoints(KeyGroupFilters<K> filters) {
    this.filters = filters;
    this.isRewritten = new boolean[filters.range().getNumberOfKeyGroups()];
  }

  /**
   * Begins a checkpoint.
   *
   * @param isWhole whether it must not refer to earlier ones
   */
  IncrementalSnapshot<K> begin(
      long checkpoint, boolean isUnaligned, boolean isWhole, CheckpointStreamFactory factory) {
    if (isWhole || attempts.size() >= MAX_ATTEMPTS || !isReusable(factory)) {
      complete = null;
      attempts.clear();
    }
    SharedFile file = new SharedFile(checkpoints++);
    KeyGroupRange range = filters.range();
    List<@Nullable Part<K>> parts = new ArrayList<>();
    List<KeyGroup.@Nullable Snapshot<K>> copies = new ArrayList<>();
    for (int i = 0; i < range.getNumberOfKeyGroups(); i++) {
      KeyGroup<K> group = filters.group(range.getKeyGroupId(i));
      if (group == null) {
        parts.add(null);
        copies.add(null);
        continue;
      }
      filters.follow(group);
      KeyGroup.Planned<K> added = group.takeAdditions(filters.newFilter());
      List<Piece> pieces = new ArrayList<>(piecesOf(i));
      if (pieces.isEmpty() || isDue(i, pieces) || !isKept(i, pieces)) {
        isRewritten[i] |= !pieces.isEmpty();
        pieces.clear();
        copies.add(group.copy(isUnaligned));
      } else {
        copies.add(group.snapshotOf(sinceComplete(i, added), isUnaligned));
      }
      pieces.add(new Piece(file));
      parts.add(new Part<>(pieces, added));
    }
    Attempt<K> attempt = new Attempt<>(checkpoint, file, parts);
    attempts.add(attempt);
    factory.reusePreviousStateHandle(attempt.earlierHandles());
    return new IncrementalSnapshot<>(filters, attempt, copies, id, factory);
  }

  private boolean isReusable(CheckpointStreamFactory factory) {
    return complete == null
        || complete
            .files()
            .allMatch(file -> file.handle != null && factory.couldReuseStateHandle(file.handle));
  }

  private List<Piece> piecesOf(int index) {
    Part<K> part = complete == null ? null : complete.parts.get(index);
    return part == null ? List.of() : part.pieces;
  }

  /** Returns whether a key group is to be written whole again. */
  private boolean isDue(int index, List<Piece> pieces) {
    long whole = pieces.get(0).length;
    long additions = pieces.stream().skip(1).mapToLong(piece -> piece.length).sum();
    double phase = isRewritten[index] ? 1 : (index + 1) * GOLDEN_RATIO % 1;
    return additions > phase * MAX_ADDITIONS * whole || pieces.size() >= phase * MAX_PIECES;
  }

  /**
   * Returns whether all later checkpoints refer to the pieces. If one of them does not, and is
   * complete, which is not yet known here, then Flink may have deleted their files.
   */
  private boolean isKept(int index, List<Piece> pieces) {
    for (Attempt<K> attempt : attempts) {
      Part<K> part = attempt.parts.get(index);
      if (part == null || !part.pieces.containsAll(pieces)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the additions to a group since the last checkpoint that is complete. */
  private KeyGroup.Planned<K> sinceComplete(int index, KeyGroup.Planned<K> added) {
    if (attempts.isEmpty()) {
      return added;
    }
    KeyGroup.Planned<K> all = added.copy();
    for (Attempt<K> attempt : attempts) {
      Part<K> part = attempt.parts.get(index);
      if (part != null && part.additions != null) {
        all.filter().merge(part.additions.filter());
      }
    }
    return all;
  }

  /** Continues from a checkpoint, unless it was not begun here. */
  void complete(long checkpoint) {
    for (int i = 0; i < attempts.size(); i++) {
      if (attempts.get(i).checkpoint == checkpoint) {
        complete = attempts.get(i).completed();
        attempts.subList(0, i + 1).clear();
        return;
      }
    }
  }
}
