package io.bloomkit.cuckoo;

import io.bloomkit.cuckoo.FingerprintRaces.Racing;

/** The ways to get the concurrent form of {@link DynamicFingerprints} wrong that must be caught. */
class BrokenDynamicFingerprints implements Racing {

  final ChunkDirectory chunks;
  private final DynamicFingerprints sound;

  private BrokenDynamicFingerprints(ChunkDirectory filled) {
    this.chunks = ChunkDirectory.of(filled.sizes, filled.copies());
    this.sound = new DynamicFingerprints(chunks, 0, 0);
  }

  @Override
  public boolean add(long hash) {
    return sound.addHash(hash);
  }

  @Override
  public boolean remove(long hash) {
    return sound.removeHash(hash);
  }

  @Override
  public boolean contains(long hash) {
    return sound.containsHash(hash);
  }

  @Override
  public long count(long hash) {
    return sound.countHash(hash);
  }

  @Override
  public boolean[] addAll(long... hashes) {
    return Batches.addAll(sound, hashes);
  }

  @Override
  public void addAllInVain(long... hashes) {
    Batches.addAllInVain(sound, hashes);
  }

  /** Asks which hashes of a batch are new, and adds them then. */
  static final class AsksBeforeABatch extends BrokenDynamicFingerprints {
    AsksBeforeABatch(ChunkDirectory filled) {
      super(filled);
    }

    @Override
    public boolean[] addAll(long... hashes) {
      boolean[] answers = new boolean[hashes.length];
      for (int i = 0; i < hashes.length; i++) {
        answers[i] = !contains(hashes[i]) && (i == 0 || hashes[i] != hashes[0]);
      }
      super.addAll(hashes);
      return answers;
    }
  }

  /** Takes a batch back with whatever else was added meanwhile. */
  static final class TakesAllCopiesBack extends BrokenDynamicFingerprints {
    TakesAllCopiesBack(ChunkDirectory filled) {
      super(filled);
    }

    @Override
    public void addAllInVain(long... hashes) {
      add(hashes[0]);
      while (remove(hashes[0])) {
        // Another one may have come.
      }
      throw new OutOfMemoryError("of the test");
    }
  }

  /** Believes what it read while another thread may have been moving fingerprints. */
  static final class ReadsWithoutLookingAgain extends BrokenDynamicFingerprints {
    ReadsWithoutLookingAgain(ChunkDirectory filled) {
      super(filled);
    }

    @Override
    public boolean contains(long hash) {
      return chunks.chunkOf(hash).containsHash(hash);
    }
  }

  /** Compares the versions and reads then. */
  static final class ValidatesBeforeItReads extends BrokenDynamicFingerprints {
    ValidatesBeforeItReads(ChunkDirectory filled) {
      super(filled);
    }

    @Override
    public boolean contains(long hash) {
      Chunk chunk = chunks.chunkOf(hash);
      int version = chunk.version();
      boolean isValid = (version & 1) == 0 && chunk.isStillAt(version);
      return isValid ? chunk.containsHash(hash) : super.contains(hash);
    }
  }

  /** Adds with the monitor, but readers do not see that it does. */
  static final class AddsWithoutAVersion extends BrokenDynamicFingerprints {
    AddsWithoutAVersion(ChunkDirectory filled) {
      super(filled);
    }

    @Override
    public boolean add(long hash) {
      Chunk chunk = chunks.chunkOf(hash);
      synchronized (chunk) {
        return chunk.addFingerprint(chunk.shape.fingerprintOf(hash)) == FingerprintSet.ADDED;
      }
    }
  }

  /** Lets a larger table be found and fills it then. */
  static final class FillsWhatIsFound extends BrokenDynamicFingerprints {
    FillsWhatIsFound(ChunkDirectory filled) {
      super(filled);
    }

    @Override
    public boolean add(long hash) {
      Chunk full = chunks.chunkOf(hash);
      synchronized (full) {
        Chunk larger =
            new Chunk(chunks.sizes.shape(full.shape.depth, full.shape.sizeIndex + 1), full.prefix);
        chunks.replace(full, larger);
        for (long fingerprint : full.sorted()) {
          larger.addFingerprint(fingerprint);
        }
      }
      return super.add(hash);
    }
  }

  /** Waits for the monitor and does not look whether another table took the place. */
  static final class AddsToReplacedTables extends BrokenDynamicFingerprints {
    AddsToReplacedTables(ChunkDirectory filled) {
      super(filled);
    }

    @Override
    public boolean add(long hash) {
      while (true) {
        Chunk chunk = chunks.chunkOf(hash);
        synchronized (chunk) {
          int added = chunk.addFingerprint(chunk.shape.fingerprintOf(hash));
          if (added != FingerprintSet.NO_ROOM) {
            return added == FingerprintSet.ADDED;
          }
          chunks.grow(chunk);
        }
      }
    }
  }

  /** Removes as the only thread may. */
  static final class RemovesWithoutTheMonitor extends BrokenDynamicFingerprints {
    RemovesWithoutTheMonitor(ChunkDirectory filled) {
      super(filled);
    }

    @Override
    public boolean remove(long hash) {
      Chunk chunk = chunks.chunkOf(hash);
      return chunk.removeFingerprint(chunk.shape.fingerprintOf(hash), 1, chunks.sizes) > 0;
    }
  }
}
