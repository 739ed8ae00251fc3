package io.bloomkit.flink;

import io.bloomkit.flink.IncrementalCheckpoints.Attempt;
import io.bloomkit.flink.IncrementalCheckpoints.Part;
import io.bloomkit.flink.IncrementalCheckpoints.Piece;
import io.bloomkit.flink.IncrementalCheckpoints.SharedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager;
import org.apache.flink.runtime.state.AsyncSnapshotCallable;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.jspecify.annotations.Nullable;

/**
 * Writes a checkpoint of {@link IncrementalCheckpoints} in the asynchronous phase: a file with the
 * new piece of each key group, which later checkpoints may share, and an index of all pieces. Flink
 * takes the result for managed state, since only that may share files.
 */
final class IncrementalSnapshot<K> extends AsyncSnapshotCallable<SnapshotResult<KeyedStateHandle>> {

  private final KeyGroupFilters<K> filters;
  private final Attempt<K> attempt;
  private final List<KeyGroup.@Nullable Snapshot<K>> copies;
  private final UUID task;
  private final CheckpointStreamFactory factory;

  /**
   * Prepares a checkpoint.
   *
   * @param copies what to write of each key group
   * @param task the same for all checkpoints of a task
   */
  IncrementalSnapshot(
      KeyGroupFilters<K> filters,
      Attempt<K> attempt,
      List<KeyGroup.@Nullable Snapshot<K>> copies,
      UUID task,
      CheckpointStreamFactory factory) {
    this.filters = filters;
    this.attempt = attempt;
    this.copies = copies;
    this.task = task;
    this.factory = factory;
  }

  /** Returns the memory of the copies. */
  long memoryBytes() {
    return copies.stream().filter(Objects::nonNull).mapToLong(KeyGroup.Snapshot::memoryBytes).sum();
  }

  @Override
  protected SnapshotResult<KeyedStateHandle> callInternal() throws Exception {
    StreamStateHandle pieces = writePieces();
    if (pieces == null) {
      return SnapshotResult.empty();
    }
    try {
      List<SharedFile> files =
          attempt.files().sorted(Comparator.comparingLong(file -> file.number)).toList();
      StreamStateHandle index = writeIndex(files);
      IncrementalRemoteKeyedStateHandle all =
          new IncrementalRemoteKeyedStateHandle(
              task,
              filters.range(),
              attempt.checkpoint(),
              shared(files, pieces),
              List.of(),
              index,
              pieces.getStateSize() + index.getStateSize());
      attempt.file().handle = pieces;
      return SnapshotResult.of(all);
    } catch (Exception e) {
      pieces.discardState();
      throw e;
    }
  }

  private @Nullable StreamStateHandle writePieces() throws IOException {
    CheckpointStateOutputStream out = open(CheckpointedStateScope.SHARED);
    for (int i = 0; i < copies.size(); i++) {
      KeyGroup.Snapshot<K> copy = copies.get(i);
      Part<K> part = attempt.parts().get(i);
      if (copy != null && part != null) {
        Piece piece = part.pieces().get(part.pieces().size() - 1);
        piece.offset = out.getPos();
        filters.write(copy, out);
        piece.length = out.getPos() - piece.offset;
      }
    }
    return close(out);
  }

  private StreamStateHandle writeIndex(List<SharedFile> files) throws IOException {
    CheckpointStateOutputStream out = open(CheckpointedStateScope.EXCLUSIVE);
    PieceIndex index = new PieceIndex();
    files.forEach(file -> index.names().add(file.name));
    for (int i = 0; i < attempt.parts().size(); i++) {
      Part<K> part = attempt.parts().get(i);
      if (part != null) {
        for (Piece piece : part.pieces()) {
          int group = filters.range().getKeyGroupId(i);
          index.add(group, files.indexOf(piece.file), piece.offset);
        }
      }
    }
    index.write(out);
    return Objects.requireNonNull(close(out));
  }

  /** Returns the files, those of earlier checkpoints by name only: Flink knows them. */
  private List<HandleAndLocalPath> shared(List<SharedFile> files, StreamStateHandle pieces) {
    List<HandleAndLocalPath> shared = new ArrayList<>();
    for (SharedFile file : files) {
      StreamStateHandle handle = file == attempt.file() ? pieces : nameOf(file);
      shared.add(HandleAndLocalPath.of(handle, file.name));
    }
    return shared;
  }

  private static StreamStateHandle nameOf(SharedFile file) {
    StreamStateHandle handle = Objects.requireNonNull(file.handle);
    return new PlaceholderStreamStateHandle(
        handle.getStreamStateHandleID(),
        handle.getStateSize(),
        FileMergingSnapshotManager.isFileMergingHandle(handle));
  }

  private CheckpointStateOutputStream open(CheckpointedStateScope scope) throws IOException {
    CheckpointStateOutputStream out = factory.createCheckpointStateOutputStream(scope);
    snapshotCloseableRegistry.registerCloseable(out);
    return out;
  }

  private @Nullable StreamStateHandle close(CheckpointStateOutputStream out) throws IOException {
    if (!snapshotCloseableRegistry.unregisterCloseable(out)) {
      throw new IOException("the checkpoint was cancelled while it was written");
    }
    return out.closeAndGetHandle();
  }

  @Override
  protected void cleanupProvidedResources() {
    // Streams are closed by the registry.
  }
}
