package io.bloomkit.durable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The log of the updates of one filter, and the order of both. An update locks a {@link Stripe},
 * changes the filter, is appended to the stripe, and unlocks it. To write a frame, the log takes
 * the updates from all stripes while it holds all locks, so the updates in all frames up to any one
 * are those up to one moment.
 *
 * <p>Where updates commute, a thread takes the stripe of its own, or any that is free. Otherwise,
 * the hash chooses the stripe, so the log has the updates of one hash in the order of the filter.
 *
 * <p>Updates do not wait for the disk, unless the {@link Backlog} is full: the thread that finds a
 * stripe full takes the updates, and leaves the writing to a background thread if there is one, or
 * to the thread that is writing already.
 *
 * <p>Locks are taken in this order: leadership of the {@link GroupCommit}, {@link #writing}, the
 * stripes from first to last.
 */
final class UpdateLog {

  private static final int MAX_STRIPES = 64;

  /** The most updates in all stripes if the hash chooses one. They share the cache of a thread. */
  private static final int UPDATES_BY_HASH = 1 << 12;

  /** The most updates in all stripes if the thread chooses one: those of a frame. */
  private static final int UPDATES_BY_THREAD = LogFormat.MAX_UPDATES;

  /** The most updates of a stripe. More would displace much of the filter from the cache. */
  private static final int MAX_CAPACITY = 1 << 12;

  /** The size of the backlog at which updates wait until it was written: 2 MiB. */
  private static final int MAX_BACKLOG = 1 << 18;

  /** Spreads hashes over stripes whatever their quality. */
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  private static final int STRIPE_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(MAX_STRIPES);

  private final Storage storage;
  private final Path folder;
  private final long id;
  private final Updates updates;
  private final boolean haveEpochs;
  private final Stripe[] stripes;
  private final int stripeMask;

  /** Whether a thread may use any stripe. */
  private final boolean isByThread;

  private final Backlog backlog;
  private final GroupCommit commit = new GroupCommit(this::flushAndForce);

  /** Held while frames are written. Like stripes, it is unlocked without a call. */
  private final Stripe writing = new Stripe();

  /** Guarded by {@link #writing}, like the next two fields; the position is read without it. */
  private volatile SegmentWriter segment;

  private byte[] frame = new byte[LogFormat.FRAME_BYTES];
  private long writtenGeneration;

  /** The bytes of the segments before {@link #segment} that are not in the snapshot. */
  private final AtomicLong closedBytes;

  /** The generation of the updates in the stripes. Guarded by each stripe; changed under all. */
  private long generation = 1;

  /** The epoch of the updates in the stripes. Guarded in the same way. */
  private volatile long epoch;

  /**
   * Whether updates are being taken from the stripes. After an error that leaves no stack to handle
   * it, the next one finds it so. Guarded in the same way.
   */
  private boolean isTorn;

  /** The same for frames that are being written. Guarded by {@link #writing}. */
  private boolean isTornInFile;

  /** Writes in the background; null if updates write. */
  private volatile @Nullable Thread writer;

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
    this.epoch = haveEpochs ? Long.MIN_VALUE : 0;
    this.segment = segment;
    this.closedBytes = new AtomicLong(closedBytes);
    isByThread = updates.areConcurrent() && updates.commute();
    int count = updates.areInOrder() || !updates.areConcurrent() ? 1 : MAX_STRIPES;
    if (isByThread) {
      count = stripesFor(Runtime.getRuntime().availableProcessors());
    }
    int capacity =
        Math.min(MAX_CAPACITY, (isByThread ? UPDATES_BY_THREAD : UPDATES_BY_HASH) / count);
    stripeMask = count - 1;
    stripes = new Stripe[count];
    Arrays.setAll(stripes, i -> new Stripe());
    backlog = new Backlog(capacity, 2 * count);
  }

  /** Returns a power of two, so that most threads that run have a stripe of their own. */
  private static int stripesFor(int processors) {
    return Integer.highestOneBit(Math.min(MAX_STRIPES, 4 * processors));
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
    return commit.failure != null;
  }

  /** Returns whether several threads may update at the same time. */
  boolean isConcurrent() {
    return updates.areConcurrent();
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
        stripe.append(hash);
      }
      awaited = generation;
      stripe.unlock();
    } catch (Throwable e) { // makes no call, which could overflow the stack again
      if (e instanceof Error) {
        commit.failure = e; // the filter may be changed
      }
      stripe.held = false;
      throw e;
    }
    if (isDurable) {
      awaitOrSync(awaited, isLogged);
    }
    return isAdded;
  }

  /** Waits until an update is durable, or those of others that made this one change nothing. */
  private void awaitOrSync(long awaited, boolean isLogged) {
    if (isLogged) {
      await(awaited);
    } else {
      sync();
    }
  }

  /** Removes a hash. Returns what the filter returns. */
  boolean remove(long hash, boolean isDurable) {
    Stripe stripe = lockStripe(hash);
    boolean isRemoved;
    long awaited;
    try {
      isRemoved = updates.remove(hash, epoch);
      if (isRemoved) {
        stripe.appendRemoval(hash);
      }
      awaited = generation;
      stripe.unlock();
    } catch (Throwable e) { // as for additions
      if (e instanceof Error) {
        commit.failure = e;
      }
      stripe.held = false;
      throw e;
    }
    if (isDurable) {
      awaitOrSync(awaited, isRemoved);
    }
    return isRemoved;
  }

  /** What is done while all stripes are held. */
  @FunctionalInterface
  private interface Action<E extends Exception> {
    void run() throws E;
  }

  /** Adds all hashes at one moment. Returns what the filter returns. */
  long addAll(
      long[] hashes, int offset, int length, boolean @Nullable [] wasNew, boolean isDurable) {
    if (!updates.changeByRepeats()) {
      return addNew(hashes, offset, length, wasNew, isDurable);
    }
    long now = haveEpochs ? updates.epoch() : 0;
    long[] added = new long[1];
    alone(
        isDurable,
        () -> {
          epoch = Math.max(epoch, now);
          added[0] = updates.addAll(hashes, offset, length, epoch, wasNew);
          writeAdditions(hashes, offset, length);
        });
    return added[0];
  }

  /** Does the same, and logs only the hashes whose additions return true. */
  private long addNew(
      long[] hashes, int offset, int length, boolean @Nullable [] wasNew, boolean isDurable) {
    int most = Math.min(length, LogFormat.MAX_UPDATES);
    long[] part = new long[most];
    boolean[] answers = new boolean[most];
    long[] added = new long[1];
    alone(
        isDurable,
        () -> {
          int count;
          for (int i = 0; i < length; i += count) {
            count = Math.min(length - i, most);
            System.arraycopy(hashes, offset + i, part, 0, count);
            added[0] += updates.addAll(part, 0, count, epoch, answers);
            writeNew(part, answers, count);
            if (wasNew != null) {
              System.arraycopy(answers, 0, wasNew, offset + i, count);
            }
          }
        });
    return added[0];
  }

  private void writeNew(long[] hashes, boolean[] wasNew, int length) throws IOException {
    int count = 0;
    for (int i = 0; i < length; i++) {
      if (wasNew[i]) {
        hashes[count++] = hashes[i];
      }
    }
    writeAdditions(hashes, 0, count);
  }

  /** Removes all elements at one moment. */
  void clear(boolean isDurable) {
    alone(
        isDurable,
        () -> {
          isTornInFile = true;
          try {
            updates.clear();
            segment.write(new byte[LogFormat.FRAME_BYTES], LogFormat.CLEARED, 0, epoch);
            writtenGeneration = generation++;
            isTornInFile = false;
          } catch (RuntimeException | Error e) { // perhaps some elements are left
            commit.fail(e);
            throw e;
          }
        });
  }

  /** Makes an update while there are no others. */
  private void alone(boolean isDurable, Action<IOException> update) {
    long[] awaited = new long[1];
    writing.lock();
    try {
      locked(
          () -> {
            checkOpen();
            cut();
            writeBacklog();
            update.run();
            awaited[0] = generation - 1;
          });
    } catch (IOException e) {
      commit.fail(e);
      throw refusal();
    } catch (Error e) {
      commit.failure = e; // the filter may be changed
      throw e;
    } finally {
      writing.held = false;
    }
    if (isDurable) {
      await(awaited[0]);
    }
  }

  private void writeAdditions(long[] hashes, int offset, int length) throws IOException {
    if (length == 0) { // else the next sync would force the log
      return;
    }
    isTornInFile = true;
    try {
      int count;
      for (int i = 0; i < length; i += count) {
        count = Math.min(length - i, LogFormat.MAX_UPDATES);
        reserve(LogFormat.frameBytes(LogFormat.ADDITIONS, count));
        Cut.body(frame).asLongBuffer().put(hashes, offset + i, count);
        segment.write(frame, LogFormat.ADDITIONS, count, epoch);
      }
      writtenGeneration = generation++;
      isTornInFile = false;
    } catch (RuntimeException | Error e) { // the updates are lost
      commit.fail(e);
      throw e;
    }
  }

  /** Makes the frame large enough. Requires {@link #writing}. */
  private void reserve(int bytes) {
    if (frame.length < bytes) {
      frame = new byte[bytes];
    }
  }

  /** Locks a stripe for an update, with room for it, in the present epoch. */
  private Stripe lockStripe(long hash) {
    if (haveEpochs) {
      long now = updates.epoch();
      if (now > epoch) {
        begin(now);
      }
    }
    Stripe stripe = lock(hash);
    while (stripe.count == stripe.capacity || isClosed || commit.failure != null) { // no calls
      stripe.held = false;
      checkOpen();
      makeRoom(stripe);
      stripe = lock(hash);
    }
    return stripe;
  }

  private Stripe lock(long hash) {
    if (isByThread) {
      return lockFor((int) Thread.currentThread().getId());
    }
    long spread = updates.orderOf(hash) * MULTIPLIER;
    Stripe stripe = stripes[(int) (spread >>> STRIPE_SHIFT) & stripeMask];
    stripe.lock();
    return stripe;
  }

  /** Locks the stripe of a thread, or the next one that is free. */
  private Stripe lockFor(int thread) {
    Stripe own = stripes[thread & stripeMask];
    return own.tryLock() ? own : lockNext(thread);
  }

  private Stripe lockNext(int thread) {
    for (int i = 1; true; i++) {
      Stripe stripe = stripes[(thread + i) & stripeMask];
      if (stripe.tryLock()) {
        return stripe;
      }
      if (i > stripeMask) {
        Stripe.pause(this, i);
      }
    }
  }

  /** Begins a later epoch. */
  private void begin(long later) {
    locked(
        () -> {
          if (later > epoch) {
            cut();
            epoch = later;
          }
        });
    write();
  }

  /** Gives a stripe a buffer, or takes its updates and all others, and writes them. */
  private void makeRoom(Stripe full) {
    UpdateBuffer empty = backlog.buffer();
    boolean isEmpty;
    full.lock();
    try {
      isEmpty = !full.hasBuffer();
      if (isEmpty) {
        full.setBuffer(empty);
      }
    } finally {
      full.held = false;
    }
    if (isEmpty) {
      return;
    }
    backlog.release(empty);
    if (backlog.size() < MAX_BACKLOG) {
      locked(
          () -> {
            if (full.hasBuffer() && full.count == full.capacity) { // else another thread did
              cut();
            }
          });
    }
    write();
  }

  /**
   * Makes a thread write the backlog: it calls {@link #writeUnlessBusy} whenever it is unparked.
   */
  void setWriter(Thread thread) {
    writer = thread;
  }

  private void write() {
    Thread thread = writer;
    if (thread != null && backlog.size() < MAX_BACKLOG) {
      LockSupport.unpark(thread);
    } else {
      writeUnlessBusy();
    }
  }

  /** Writes the backlog. If another thread is writing, returns at once unless it is full. */
  void writeUnlessBusy() {
    if (backlog.size() >= MAX_BACKLOG) {
      writing.lock();
    } else if (!writing.tryLock()) {
      return;
    }
    try {
      writeBacklog();
    } catch (IOException e) {
      commit.fail(e);
      throw refusal();
    } finally {
      writing.held = false;
    }
  }

  /** Holds all stripes while an action runs. */
  private <E extends Exception> void locked(Action<E> action) throws E {
    int locked = 0;
    try {
      for (; locked < stripes.length; locked++) {
        stripes[locked].lock();
      }
      action.run();
    } finally {
      while (locked > 0) {
        stripes[--locked].held = false;
      }
    }
  }

  /** Takes the updates from all stripes. Requires all of their locks. */
  private void cut() {
    if (isTorn) {
      commit.fail(new IllegalStateException("an update of the log was not completed"));
      throw refusal();
    }
    Cut cut = new Cut(epoch, generation, stripes.length);
    isTorn = true;
    try {
      for (Stripe stripe : stripes) {
        if (stripe.count > 0) {
          cut.add(stripe.take());
        }
      }
      if (cut.count > 0) {
        backlog.add(cut);
        generation++;
      }
      isTorn = false;
    } catch (RuntimeException | Error e) { // the updates are lost
      commit.fail(e);
      throw e;
    }
  }

  /** Hands all updates to the operating system. Requires {@link #writing}. */
  private void flush() throws IOException {
    locked(this::cut);
    writeBacklog();
  }

  /**
   * Writes what was taken from the stripes before the call: with what is taken meanwhile, it might
   * never end, and so never force anything. Requires {@link #writing}.
   */
  private void writeBacklog() throws IOException {
    checkIntact();
    isTornInFile = true;
    try {
      long last = backlog.lastGeneration();
      for (Cut cut; writtenGeneration < last && (cut = backlog.poll()) != null; ) {
        reserve(LogFormat.frameBytes(cut.type(), cut.count));
        cut.fill(frame);
        segment.write(frame, cut.type(), cut.count, cut.epoch);
        writtenGeneration = cut.generation;
        backlog.release(cut);
      }
      isTornInFile = false;
    } catch (RuntimeException | Error e) { // the updates are lost
      commit.fail(e);
      throw e;
    }
  }

  /** Nothing is written after a failure: a reader would find it behind a damaged frame. */
  private void checkIntact() throws IOException {
    if (isTornInFile) {
      commit.fail(new IllegalStateException("a write of the log was not completed"));
    }
    if (hasFailed()) {
      throw new IOException(failureMessage(), commit.failure);
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
    } catch (IOException e) {
      commit.fail(e);
      throw refusal();
    } finally {
      writing.held = false;
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
      flush();
      forced = segment;
      written = writtenGeneration;
      position = forced.position();
    } finally {
      writing.held = false;
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
    try {
      sync(); // so the force below has little to do
    } catch (RuntimeException | Error e) {
      next.close();
      throw e;
    }
    if (!commit.exclusively(() -> switchTo(next))) {
      next.close();
      throw refusal();
    }
  }

  private long switchTo(SegmentWriter next) throws IOException {
    writing.lock();
    try {
      flush();
      segment.write(LogFormat.END);
      segment.force(segment.position());
      segment.close();
      closedBytes.addAndGet(segment.position());
      next.follow(segment);
      next.writeUnmarked();
      segment = next;
      return writtenGeneration;
    } finally {
      writing.held = false;
    }
  }

  /** Makes all updates durable and refuses further ones. Waits for a write that has begun. */
  void close() throws IOException {
    boolean isForced;
    try {
      isForced = commit.exclusively(this::markClosed);
    } finally {
      isClosed = true; // also after an error, since the background threads have ended
    }
    writing.lock(); // after a failure, another thread may still write
    try {
      segment.close();
    } finally {
      writing.held = false;
    }
    if (!isForced) {
      throw new IOException(
          "the log in "
              + folder
              + " could not be written, so updates since the last sync may be lost. The filter is"
              + " closed now: remove the cause and open it again: "
              + commit.failure,
          commit.failure);
    }
  }

  private long markClosed() throws IOException {
    writing.lock();
    try {
      locked(
          () -> {
            cut();
            isClosed = true;
          });
      writeBacklog();
      segment.force(segment.position());
      segment.write(LogFormat.MARK);
      segment.force(segment.position());
      return writtenGeneration;
    } finally {
      writing.held = false;
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
    @Nullable Throwable cause = commit.failure;
    if (cause instanceof Error error) {
      return new IllegalStateException(failureMessage(), error);
    }
    IOException failure = new IOException(failureMessage(), cause);
    return new UncheckedIOException(failure.getMessage(), failure);
  }

  private String failureMessage() {
    return "the log in "
        + folder
        + " could not be written, so the filter takes no more updates; queries go on."
        + " Remove the cause, close the filter and open it again: "
        + commit.failure;
  }
}
