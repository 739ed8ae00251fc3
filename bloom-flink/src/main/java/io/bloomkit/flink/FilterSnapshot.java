package io.bloomkit.flink;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.flink.runtime.state.AsyncSnapshotCallable;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.jspecify.annotations.Nullable;

/**
 * Writes copies of the filters as raw keyed state in the asynchronous phase of a checkpoint. {@code
 * StateSnapshotContext.getRawKeyedOperatorStateOutput} would be closed at the end of the
 * synchronous phase, in which no records are processed.
 */
final class FilterSnapshot<K> extends AsyncSnapshotCallable<SnapshotResult<KeyedStateHandle>> {

  private final KeyGroupFilters<K> filters;
  private final List<KeyGroup.@Nullable Snapshot<K>> copies;
  private final CheckpointStreamFactory factory;

  /** Copies the filters. */
  FilterSnapshot(KeyGroupFilters<K> filters, boolean isUnaligned, CheckpointStreamFactory factory) {
    this.filters = filters;
    this.copies = filters.copies(isUnaligned);
    this.factory = factory;
  }

  /** Returns the memory of the copies. */
  long memoryBytes() {
    return copies.stream().filter(Objects::nonNull).mapToLong(KeyGroup.Snapshot::memoryBytes).sum();
  }

  @Override
  protected SnapshotResult<KeyedStateHandle> callInternal() throws Exception {
    long[] offsets = new long[copies.size()];
    Arrays.fill(offsets, -1); // Flink's mark of a key group without state
    CheckpointStateOutputStream out =
        factory.createCheckpointStateOutputStream(CheckpointedStateScope.EXCLUSIVE);
    snapshotCloseableRegistry.registerCloseable(out);
    for (int i = 0; i < offsets.length; i++) {
      KeyGroup.Snapshot<K> copy = copies.get(i);
      if (copy != null) {
        offsets[i] = out.getPos();
        filters.write(copy, out);
      }
    }
    if (!snapshotCloseableRegistry.unregisterCloseable(out)) {
      throw new IOException("the checkpoint was cancelled while it was written");
    }
    StreamStateHandle handle = out.closeAndGetHandle();
    return handle == null
        ? SnapshotResult.empty()
        : SnapshotResult.of(
            new KeyGroupsStateHandle(new KeyGroupRangeOffsets(filters.range(), offsets), handle));
  }

  @Override
  protected void cleanupProvidedResources() {
    // The stream is closed by the registry.
  }
}
