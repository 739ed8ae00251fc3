package io.bloomkit.flink;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.checkpoint.PrioritizedOperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * Reads the key groups of a task from a checkpoint or savepoint, whether it is whole or
 * incremental. The operator's context would do it for operators with a state backend only.
 */
final class StateReader<K> {

  private final KeyGroupFilters<K> filters;
  private final KeyGroupRange range;

  /** Closes what is open if the task is cancelled, since reading may not end by an interrupt. */
  private final CloseableRegistry streams;

  /** The pieces of incremental checkpoints that were read, joined. */
  private final Map<Integer, KeyGroup.Pieces<K>> joined = new TreeMap<>();

  private int ofOtherPlans;

  StateReader(KeyGroupFilters<K> filters, CloseableRegistry streams) {
    this.filters = filters;
    this.streams = streams;
    this.range = filters.range();
  }

  /** Returns how many key groups have filters of earlier plans. */
  int restore(PrioritizedOperatorSubtaskState state) throws Exception {
    for (KeyedStateHandle handle : first(state.getPrioritizedRawKeyedState())) {
      if (!(handle instanceof KeyGroupsStateHandle whole)) {
        throw unexpected("KeyGroupsStateHandle", handle);
      }
      readWhole(whole);
    }
    for (KeyedStateHandle handle : first(state.getPrioritizedManagedKeyedState())) {
      if (!(handle instanceof IncrementalRemoteKeyedStateHandle pieces)) {
        throw unexpected("IncrementalRemoteKeyedStateHandle", handle);
      }
      readPieces(pieces);
    }
    for (Map.Entry<Integer, KeyGroup.Pieces<K>> group : joined.entrySet()) {
      ofOtherPlans += filters.restore(group.getKey(), group.getValue().join()) ? 1 : 0;
    }
    return ofOtherPlans;
  }

  private static Collection<KeyedStateHandle> first(
      List<StateObjectCollection<KeyedStateHandle>> alternatives) {
    return alternatives.isEmpty() ? List.of() : alternatives.get(0);
  }

  private static PermanentFailureException unexpected(String expected, KeyedStateHandle handle) {
    return new PermanentFailureException(
        "cannot restore the filters: expected a "
            + expected
            + ", got "
            + handle.getClass().getName());
  }

  private void readWhole(KeyGroupsStateHandle state) throws Exception {
    KeyGroupRange present = state.getKeyGroupRange().getIntersection(range);
    if (present.getNumberOfKeyGroups() == 0) {
      return;
    }
    FSDataInputStream in = open(state);
    try {
      for (int number : present) {
        long offset = state.getOffsetForKeyGroup(number);
        if (offset >= 0) {
          ofOtherPlans += filters.restore(number, filters.read(number, in, offset)) ? 1 : 0;
        }
      }
    } finally {
      streams.unregisterAndCloseAll(in);
    }
  }

  private FSDataInputStream open(StreamStateHandle state) throws IOException {
    FSDataInputStream in = state.openInputStream();
    streams.registerCloseable(in);
    return in;
  }

  private void readPieces(IncrementalRemoteKeyedStateHandle state) throws Exception {
    if (state.getKeyGroupRange().getIntersection(range).getNumberOfKeyGroups() == 0) {
      return;
    }
    PieceIndex index = indexOf(state);
    Map<String, StreamStateHandle> files = new HashMap<>();
    for (HandleAndLocalPath file : state.getSharedState()) {
      files.put(file.getLocalPath(), file.getHandle());
    }
    for (int i = 0; i < index.names().size(); i++) { // each file once, the earliest first
      int number = i;
      List<PieceIndex.Entry> pieces = new ArrayList<>(index.pieces());
      pieces.removeIf(piece -> piece.file() != number || !range.contains(piece.group()));
      pieces.sort(Comparator.comparingLong(PieceIndex.Entry::offset));
      StreamStateHandle file = files.get(index.names().get(i));
      if (file == null) {
        throw new PermanentFailureException(
            "cannot restore the filters: the checkpoint has no file " + index.names().get(i));
      }
      if (!pieces.isEmpty()) {
        read(file, pieces);
      }
    }
  }

  private PieceIndex indexOf(IncrementalRemoteKeyedStateHandle state) throws IOException {
    FSDataInputStream in = open(state.getMetaDataStateHandle());
    try {
      return PieceIndex.read(new BufferedInputStream(in));
    } catch (EOFException | UTFDataFormatException | PermanentFailureException e) {
      throw new PermanentFailureException("cannot restore the filters: " + e.getMessage(), e);
    } finally {
      streams.unregisterAndCloseAll(in);
    }
  }

  private void read(StreamStateHandle file, List<PieceIndex.Entry> pieces) throws Exception {
    FSDataInputStream in = open(file);
    try {
      for (PieceIndex.Entry piece : pieces) {
        KeyGroup.Snapshot<K> snapshot = filters.read(piece.group(), in, piece.offset());
        joined.computeIfAbsent(piece.group(), none -> new KeyGroup.Pieces<>()).add(snapshot);
      }
    } finally {
      streams.unregisterAndCloseAll(in);
    }
  }
}
