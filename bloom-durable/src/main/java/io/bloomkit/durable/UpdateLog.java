package io.bloomkit.durable;

import io.bloomkit.internal.LittleEndian;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log of the updates of one filter, and the order of both. An update locks the {@link Stripe}
 * of its hash, changes the filter, is appended to the stripe, and unlocks it. To write a frame, the
 * log locks all stripes, so the updates in all frames up to any one are those up to one moment.
 *
 * <p>Locks are taken in this order: leadership of the {@link GroupCommit}, {@link #writing}, the
 * stripes from first to last.
 */
final class UpdateLog {

  private static final int STRIPES = 64;

  /** The most updates in all stripes. More would displace much of the filter from the cache. */
  private static final int BUFFERED_UPDATES = 1 << 12;

  /** Spreads hashes over stripes whatever their quality. */
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  private static final int STRIPE_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(STRIPES);

  private final Storage storage;
  private final Path folder;
  private final long id;
  private final Updates updates;
  private final boolean haveEpochs;
  private final Stripe[] stripes;
  private final int stripeMask;
  private final GroupCommit commit = new GroupCommit(this::flushAndForce);

  /** Held while frames are written. */
  private final ReentrantLock writing = new ReentrantLock();

  /** Guarded by {@link #writing}, like the next two fields; the position is read without it. */
  private volatile SegmentWriter segment;

  private final byte[] frame;
  private long writtenGeneration;

  /** The bytes of the segments before {@link #segment} that are not in the snapshot. */
  private final AtomicLong closedBytes;

  /** The generation of the updates in the stripes. Guarded by each stripe; changed under all. */
  private long generation = 1;

  /** The epoch of the updates in the stripes. Guarded in the same way. */
  private volatile long epoch = Long.MIN_VALUE;

  private volatile boolean isClosed;
  private volatile Instant lastSync = Instant.now();

  UpdateLog(
      Storage storage,
      Path folder,
      long id,
      Updates updates,
      SegmentWriter segment,
      long closedBytes) {
    this.storage = storage;
    this.folder = folder;
    this.id = id;
    this.updates = updates;
    this.haveEpochs = updates.haveEpochs();
    this.segment = segment;
    this.closedBytes = new AtomicLong(closedBytes);
    int count = updates.areConcurrent() && !updates.areInOrder() ? STRIPES : 1;
    stripeMask = count - 1;
    stripes = new Stripe[count];
    for (int i = 0; i < count; i++) {
      stripes[i] = new Stripe(BUFFERED_UPDATES / count);
    }
    frame = new byte[LogFormat.frameBytes(LogFormat.MIXED, LogFormat.MAX_UPDATES)];
  }

  /** Returns the bytes of all segments that are not in the snapshot. */
  long bytes() {
    return closedBytes.get() + segment.position();
  }

  /** Returns the bytes of the segment that is being written. */
  long segmentBytes() {
    return segment.position();
  }

  long segmentNumber() {
    return segment.number;
  }

  /** States that the snapshot contains some bytes of closed segments. */
  void forget(long bytes) {
    closedBytes.addAndGet(-bytes);
  }

  Instant lastSync() {
    return lastSync;
  }

  long forces() {
    return commit.forces();
  }

  boolean hasFailed() {
    return commit.failure() != null;
  }

  /** Adds a hash. Returns what the filter returns. */
  boolean add(long hash, boolean isDurable) {
    Stripe stripe = lockStripe(hash);
    boolean isAdded;
    boolean isLogged;
    long awaited;
    try {
      isAdded = updates.add(hash, epoch);
      isLogged = isAdded || updates.changeByRepeats();
      if (isLogged) {
        stripe.append(hash, false);
      }
      awaited = generation;
    } finally {
      stripe.unlock();
    }
    if (isDurable) {
      if (isLogged) {
        await(awaited);
      } else {
        sync(); // any other elements may have made this one positive
      }
    }
    return isAdded;
  }

  /** Removes a hash. Returns what the filter returns. */
  boolean remove(long hash, boolean isDurable) {
    Stripe stripe = lockStripe(hash);
    boolean isRemoved;
    long awaited;
    try {
      isRemoved = updates.remove(hash, epoch);
      if (isRemoved) {
        stripe.append(hash, true);
      }
      awaited = generation;
    } finally {
      stripe.unlock();
    }
    if (isDurable && isRemoved) {
      await(awaited);
    }
    return isRemoved;
  }

  /** Adds all hashes at one moment. Returns what the filter returns. */
  long addAll(long[] hashes, int offset, int length, boolean isDurable) {
    long now = haveEpochs ? updates.epoch() : 0;
    long awaited;
    long added;
    writing.lock();
    try {
      lockStripes();
      try {
        checkOpen();
        writeStripes();
        epoch = Math.max(epoch, now);
        added = updates.addAll(hashes, offset, length, epoch);
        if (added > 0 || updates.changeByRepeats()) {
          writeAdditions(hashes, offset, length);
        }
        awaited = generation - 1;
      } finally {
        unlockStripes();
      }
    } catch (IOException e) {
      commit.fail(e);
      throw refusal();
    } finally {
      writing.unlock();
    }
    if (isDurable) {
      await(awaited);
    }
    return added;
  }

  private void writeAdditions(long[] hashes, int offset, int length) throws IOException {
    for (int i = 0; i < length; i += LogFormat.MAX_UPDATES) {
      int count = Math.min(length - i, LogFormat.MAX_UPDATES);
      ByteBuffer body = body();
      body.asLongBuffer().put(hashes, offset + i, count);
      segment.write(frame, LogFormat.ADDITIONS, count, epoch);
    }
    writtenGeneration = generation++;
  }

  private ByteBuffer body() {
    return ByteBuffer.wrap(frame, LogFormat.FRAME_BYTES, frame.length - LogFormat.FRAME_BYTES)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Locks the stripe of a hash, with room for an update, in the present epoch. */
  private Stripe lockStripe(long hash) {
    long spread = updates.orderOf(hash) * MULTIPLIER;
    Stripe stripe = stripes[(int) (spread >>> STRIPE_SHIFT) & stripeMask];
    if (haveEpochs) {
      long now = updates.epoch();
      if (now > epoch) {
        begin(now);
      }
    }
    stripe.lock();
    while (stripe.isFull() || isClosed || hasFailed()) {
      stripe.unlock();
      checkOpen();
      flush();
      stripe.lock();
    }
    return stripe;
  }

  /** Writes the updates of the present epoch, and begins another one. */
  private void begin(long later) {
    writing.lock();
    try {
      flushWhileWriting(later);
    } catch (IOException e) {
      commit.fail(e);
      throw refusal();
    } finally {
      writing.unlock();
    }
  }

  private void lockStripes() {
    for (Stripe stripe : stripes) {
      stripe.lock();
    }
  }

  private void unlockStripes() {
    for (Stripe stripe : stripes) {
      stripe.unlock();
    }
  }

  /** Hands the updates in the stripes to the operating system. */
  private void flush() {
    begin(Long.MIN_VALUE);
  }

  /** Does the same. Requires {@link #writing}. */
  private void flushWhileWriting(long later) throws IOException {
    int count;
    int removalCount;
    long frameEpoch;
    lockStripes();
    try {
      frameEpoch = epoch;
      count = fillFrame();
      removalCount = removalCount();
      clearStripes();
      epoch = Math.max(epoch, later);
      generation += count > 0 ? 1 : 0;
    } finally {
      unlockStripes();
    }
    // Under the lock "writing" alone: other threads go on meanwhile.
    writeFrame(count, removalCount, frameEpoch);
  }

  /** Writes the updates in the stripes. Requires {@link #writing} and all stripes. */
  private void writeStripes() throws IOException {
    int count = fillFrame();
    int removalCount = removalCount();
    clearStripes();
    generation += count > 0 ? 1 : 0;
    writeFrame(count, removalCount, epoch);
  }

  private void writeFrame(int count, int removalCount, long frameEpoch) throws IOException {
    checkIntact();
    if (count > 0) {
      int type =
          removalCount == 0
              ? LogFormat.ADDITIONS
              : removalCount == count ? LogFormat.REMOVALS : LogFormat.MIXED;
      segment.write(frame, type, count, haveEpochs ? frameEpoch : 0);
      writtenGeneration++;
    }
  }

  /** Nothing is written after a failure: a reader would find it behind a damaged frame. */
  private void checkIntact() throws IOException {
    if (hasFailed()) {
      throw new IOException(failureMessage(), commit.failure());
    }
  }

  /** Copies the updates in the stripes to the frame. Returns their number. */
  private int fillFrame() {
    ByteBuffer body = body();
    int count = 0;
    for (Stripe stripe : stripes) {
      body.position(count * Long.BYTES);
      body.asLongBuffer().put(stripe.hashes, 0, stripe.count);
      count += stripe.count;
    }
    int removed = removalCount();
    if (removed > 0 && removed < count) {
      fillRemovals(count);
    }
    return count;
  }

  private void fillRemovals(int count) {
    int offset = LogFormat.FRAME_BYTES + count * Long.BYTES;
    long word = 0;
    int index = 0;
    for (Stripe stripe : stripes) {
      for (int i = 0; i < stripe.count; i++) {
        word |= (stripe.isRemoval(i) ? 1L : 0) << index;
        index++;
        if (index % Long.SIZE == 0 || index == count) {
          LittleEndian.putLong(frame, offset, word);
          offset += Long.BYTES;
          word = 0;
        }
      }
    }
  }

  private int removalCount() {
    int count = 0;
    for (Stripe stripe : stripes) {
      count += stripe.removalCount;
    }
    return count;
  }

  private void clearStripes() {
    for (Stripe stripe : stripes) {
      stripe.clear();
    }
  }

  /** Makes all updates durable that happened before the call. */
  void sync() {
    checkOpen();
    long written;
    writing.lock();
    try {
      flush();
      written = writtenGeneration;
    } finally {
      writing.unlock();
    }
    await(written);
  }

  private void await(long awaited) {
    if (!commit.await(awaited)) {
      throw refusal();
    }
  }

  private long flushAndForce() throws IOException {
    SegmentWriter forced;
    long written;
    long position;
    writing.lock();
    try {
      flushWhileWriting(Long.MIN_VALUE);
      forced = segment;
      written = writtenGeneration;
      position = forced.position();
    } finally {
      writing.unlock();
    }
    forced.force(position);
    lastSync = Instant.now();
    return written;
  }

  /**
   * Ends the segment and begins another one. The updates before the call are in the old one.
   *
   * @throws IOException if the new one cannot be created; then the old one goes on
   */
  void beginSegment() throws IOException {
    checkOpen();
    SegmentWriter next = SegmentWriter.create(storage, id, segment.number + 1);
    sync(); // so the force below, for which writers may wait, has little to do
    if (!commit.exclusively(() -> switchTo(next))) {
      next.close();
      throw refusal();
    }
  }

  private long switchTo(SegmentWriter next) throws IOException {
    writing.lock();
    try {
      flushWhileWriting(Long.MIN_VALUE);
      segment.write(LogFormat.END);
      segment.force(segment.position());
      segment.close();
      closedBytes.addAndGet(segment.position());
      next.write(LogFormat.MARK);
      segment = next;
      return writtenGeneration;
    } finally {
      writing.unlock();
    }
  }

  /** Makes all updates durable and refuses further ones. */
  void close() throws IOException {
    boolean isForced = commit.exclusively(this::markClosed);
    isClosed = true;
    segment.close();
    if (!isForced) {
      throw new IOException(failureMessage(), commit.failure());
    }
  }

  private long markClosed() throws IOException {
    writing.lock();
    try {
      lockStripes();
      try {
        writeStripes();
        isClosed = true;
      } finally {
        unlockStripes();
      }
      segment.force(segment.position());
      segment.write(LogFormat.MARK);
      segment.force(segment.position());
      return writtenGeneration;
    } finally {
      writing.unlock();
    }
  }

  /** Throws an exception if the log takes no updates any more. */
  void checkOpen() {
    if (isClosed) {
      throw new IllegalStateException("the filter in " + folder + " is closed");
    }
    if (hasFailed()) {
      throw refusal();
    }
  }

  private RuntimeException refusal() {
    @Nullable Throwable cause = commit.failure();
    if (cause instanceof Error error) {
      return new IllegalStateException(failureMessage(), error);
    }
    return new UncheckedIOException(new IOException(failureMessage(), cause));
  }

  private String failureMessage() {
    return "the log in "
        + folder
        + " could not be written, so the filter takes no more updates; queries go on. Make room or"
        + " repair the disk, close the filter and open it again: "
        + commit.failure();
  }
}
