package io.bloomkit.durable;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.filter.MergeKey;
import io.bloomkit.internal.format.FilterHeader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The folder of an open {@link DurableFilter}, its lock and its background threads. */
final class DurableFolder<T> implements Closeable {

  private static final System.Logger LOGGER = System.getLogger(DurableFilter.class.getName());

  /**
   * How many times as long as usual the next compaction waits after one has failed, for lack of
   * room for example. Each later one waits twice as long as the one before.
   */
  private static final int RETRY_FACTOR = 100;

  private static final long MAX_RETRY_MILLIS = 600_000;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path path;
  private final Closeable lock;
  private final Settings settings;
  private final Recovery recovery;
  private final StorableFilter<T> filter;
  private final UpdateLog log;
  private final Compaction compaction;

  /** Held while a segment is begun or a snapshot is made. */
  private final Object compacting = new Object();

  private volatile long snapshotBytes;

  private final Thread[] threads;
  private volatile boolean isClosing;
  private volatile boolean isClosed;
  private @Nullable IOException closeFailure;

  /**
   * The sizes and times, which tests change.
   *
   * @param segmentBytes the length at which a segment is followed by another one
   * @param minLogBytes the length of the log below which there is no compaction
   * @param syncMillis the time between two syncs, or 0 for none
   * @param checkMillis the time between two looks at the length of the log, or 0 for none
   */
  record Settings(
      SyncPolicy policy, long segmentBytes, long minLogBytes, long syncMillis, long checkMillis) {

    private static final long SEGMENT_BYTES = 64L << 20;

    static Settings of(SyncPolicy policy) {
      return new Settings(
          Objects.requireNonNull(policy, "policy"),
          SEGMENT_BYTES,
          SEGMENT_BYTES,
          policy == SyncPolicy.EVERY_SECOND ? 1000 : 0,
          100);
    }
  }

  private DurableFolder(
      Path path,
      Closeable lock,
      Storage storage,
      Settings settings,
      LoadedFolder<? extends StorableFilter<T>> loaded,
      SegmentWriter segment,
      FilterBuilder<? super T> builder)
      throws IOException {
    this.path = path;
    this.lock = lock;
    this.settings = settings;
    this.recovery = loaded.recovery();
    this.filter = loaded.filter;
    Updates updates = Updates.of(filter);
    this.log =
        new UpdateLog(
            storage, path, loaded.id, updates, segment, loaded.logBytes - segment.position());
    this.compaction =
        new Compaction(
            storage,
            loaded.id,
            loaded.snapshot,
            loaded.replaced,
            readerLike(filter, builder),
            () -> isClosing);
    this.snapshotBytes = compaction.snapshotBytes();
    this.threads = startThreads();
  }

  /** Returns a reader of filters without protection against other threads, which is faster. */
  private static <T> LoadedFolder.SnapshotReader<StorableFilter<T>> readerLike(
      StorableFilter<T> filter, FilterBuilder<? super T> builder) {
    for (FilterKind kind : FilterKind.installed()) {
      if (kind.filterClass().isInstance(filter)) {
        return in -> kind.readFrom(in, filter.strategy());
      }
    }
    return in -> builder.<T>readFrom(in);
  }

  static <T> DurableFolder<T> open(Path folder, FilterBuilder<? super T> builder, SyncPolicy policy)
      throws IOException {
    return open(folder, builder, Settings.of(policy));
  }

  static <T> DurableFolder<T> open(Path folder, FilterBuilder<? super T> builder, Settings settings)
      throws IOException {
    Objects.requireNonNull(builder, "builder");
    // Refuses what it can before it creates a file.
    StorableFilter<T> empty = null;
    if (!hasFilter(folder)) {
      empty = builder.build();
      Updates.of(empty);
    }
    Path real = create(folder);
    FolderLock lock = FolderLock.lock(real);
    try {
      Storage storage = new FolderStorage(real, lock.state());
      return open(folder, lock, storage, builder, empty, settings);
    } catch (IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  @SuppressWarnings("try") // the lock is only held
  static void create(Path folder, StorableFilter<?> filter) throws IOException {
    Updates.of(Objects.requireNonNull(filter, "filter"));
    checkHasNoFilter(folder);
    Path real = create(folder);
    try (FolderLock lock = FolderLock.lock(real)) {
      checkHasNoFilter(real);
      create(new FolderStorage(real, lock.state()), filter);
    }
  }

  private static void checkHasNoFilter(Path folder) throws IOException {
    if (hasFilter(folder)) {
      // A process that was killed may have left its name in memory only.
      FolderStorage.forceFolder(create(folder));
      throw new FileSystemException(
          folder.toString(), null, "it has a filter already: open it, or name an empty folder");
    }
  }

  /**
   * Returns whether a folder has a filter. It need not exist.
   *
   * @throws IOException if it is a file or has other files
   */
  static boolean hasFilter(Path folder) throws IOException {
    // In this order: another process may be creating the folder.
    boolean exists = Files.exists(Objects.requireNonNull(folder, "folder"));
    boolean isFolder = Files.isDirectory(folder);
    if (exists && !isFolder) {
      throw new FileSystemException(
          folder.toString(), null, "it is a file: name a folder, which is created if necessary");
    }
    return isFolder && LoadedFolder.identity(new FolderStorage(folder)).isPresent();
  }

  /** Creates a folder if necessary. Returns its path without links, which may change later. */
  private static Path create(Path folder) throws IOException {
    List<Path> parents = parentsToForce(folder);
    List<Path> created = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      created.add(folder);
      parents.stream().filter(parent -> !Files.isDirectory(parent)).forEach(created::add);
      Files.createDirectories(folder);
    }
    for (int i = 0; i < parents.size(); i++) {
      try {
        FolderStorage.forceFolder(parents.get(i));
      } catch (IOException e) {
        if (i < created.size() || !FolderStorage.isNeverForced(parents.get(i))) {
          deleteEmpty(created); // the next force may not write their names
          throw e instanceof FileSystemException named ? named : named(parents.get(i), e);
        }
      }
    }
    return folder.toRealPath();
  }

  private static FileSystemException named(Path folder, IOException e) {
    FileSystemException named =
        new FileSystemException(
            folder.toString(), null, "it could not be forced to the disk: " + e.getMessage());
    named.initCause(e);
    return named;
  }

  private static void deleteEmpty(List<Path> folders) {
    try {
      for (Path folder : folders) {
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      // Another process has files in it.
    }
  }

  /**
   * Returns all folders above a folder, which need not exist, the nearest first. Any of them may
   * have its name in memory only: another process may have created or copied it just before, or may
   * have been killed before it forced it.
   */
  static List<Path> parentsToForce(Path folder) throws IOException {
    Set<Path> parents = new LinkedHashSet<>();
    Path path = folder.toAbsolutePath();
    for (Path parent; (parent = path.getParent()) != null && !Files.isDirectory(path); ) {
      parents.add(parent);
      path = parent;
    }
    addParents(path, parents);
    return List.copyOf(parents);
  }

  /** Adds the folders above an existing path, and those above the targets of links in it. */
  private static void addParents(Path path, Set<Path> parents) throws IOException {
    Path named = path;
    for (Path parent; (parent = named.getParent()) != null; named = parent) {
      parents.add(parent);
      if (Files.isSymbolicLink(named)) {
        addParents(parent.resolve(Files.readSymbolicLink(named)), parents);
      }
    }
  }

  /**
   * Opens the filter in a storage that is locked.
   *
   * @param empty a filter for a storage without one; null if it is yet to be built
   */
  static <T> DurableFolder<T> open(
      Path path,
      Closeable lock,
      Storage storage,
      FilterBuilder<? super T> builder,
      @Nullable StorableFilter<T> empty,
      Settings settings)
      throws IOException {
    LoadedFolder.SnapshotReader<StorableFilter<T>> reader = in -> builder.<T>readFrom(in);
    Optional<Long> id = LoadedFolder.identity(storage);
    if (id.isEmpty()) {
      StorableFilter<T> created = empty == null ? builder.build() : empty;
      create(storage, created);
      id = LoadedFolder.identity(storage);
      // One that is read would lack what a builder can do only for an empty filter.
      reader =
          in -> {
            in.transferTo(OutputStream.nullOutputStream());
            return created;
          };
    }
    LoadedFolder<? extends StorableFilter<T>> loaded;
    try {
      loaded = LoadedFolder.load(storage, id.orElseThrow(), reader);
    } catch (FilterFormatException e) {
      throw explained(storage, builder, e);
    }
    SegmentWriter segment = loaded.repair();
    try {
      if (loaded.bytesCut > 0) { // before threads are started, since a logger may throw
        LOGGER.log(
            System.Logger.Level.WARNING,
            "cut {0} bytes of an incomplete write from the log in {1}",
            loaded.bytesCut,
            path);
      }
      return new DurableFolder<>(path, lock, storage, settings, loaded, segment, builder);
    } catch (IOException | RuntimeException | Error e) {
      segment.close();
      throw e;
    }
  }

  /**
   * Returns an exception that tells what the builder asks for, if the folder has another filter.
   */
  private static FilterFormatException explained(
      Storage storage, FilterBuilder<?> builder, FilterFormatException refusal) throws IOException {
    String name = LoadedFolder.newestSnapshot(storage);
    FilterHeader has;
    StorableFilter<?> asked;
    try (InputStream in = storage.read(name)) {
      has = FilterHeader.readFrom(in);
      asked = builder.build();
    } catch (FilterFormatException | IllegalStateException e) { // damaged, or without a size
      return refusal;
    }
    Object[] both = {has.variantName(), asked.getClass().getSimpleName()};
    if (both[0].equals(both[1])) {
      both = new Object[] {has.strategy(), StrategyIdentity.of(asked.strategy())};
    }
    if (both[0].equals(both[1]) && has.plan().isPresent() && asked.plan().isPresent()) {
      both = new Object[] {has.plan().get(), asked.plan().get()};
    }
    if (both[0].equals(both[1])) {
      return refusal;
    }
    return new FilterFormatException(
        storage.path(name),
        new FilterFormatException(
            refusal.offset(),
            "the folder has "
                + MergeKey.describe(both[0])
                + ", the builder asks for "
                + MergeKey.describe(both[1])
                + ": build what the folder has, or name another folder"));
  }

  /**
   * Creates the files of a filter. The identity gets its name last, since it makes them valid;
   * until then, its first name tells that they may be created anew. All that is created anew has
   * the same id, and so the same names: a power cut may bring back what was deleted.
   */
  private static void create(Storage storage, StorableFilter<?> filter) throws IOException {
    long id = LoadedFolder.newIdentity(storage).orElseGet(RANDOM::nextLong);
    byte[] identity = LogFormat.identity(id);
    SegmentWriter.write(
        storage, FolderNames.NEW_IDENTITY, output -> output.write(identity, 0, identity.length));
    for (String old : FolderNames.snapshots(storage.list())) { // of an interrupted creation
      storage.delete(old);
    }
    storage.forceNames();
    try (SegmentWriter segment = SegmentWriter.create(storage, id, 1)) {
      String snapshot = FolderNames.snapshot(1, segment.checksum());
      Compaction.writeSnapshot(storage, snapshot, Updates.of(filter), (written, length) -> {});
    }
    storage.rename(FolderNames.NEW_IDENTITY, FolderNames.IDENTITY);
    storage.forceNames();
  }

  Path path() {
    return path;
  }

  StorableFilter<T> filter() {
    return filter;
  }

  UpdateLog log() {
    return log;
  }

  SyncPolicy policy() {
    return settings.policy;
  }

  Recovery recovery() {
    return recovery;
  }

  private Thread[] startThreads() {
    long millis = settings.syncMillis;
    try {
      Thread sync = start("sync", millis, millis, log::sync);
      if (sync != null) {
        log.setWriter(sync);
      }
      return new Thread[] {
        sync, start("compaction", settings.checkMillis, MAX_RETRY_MILLIS, this::compactIfLong)
      };
    } catch (Error e) { // the system has no more threads
      isClosing = true;
      throw e;
    }
  }

  /** A task of a background thread. */
  @FunctionalInterface
  private interface Task {
    void run() throws IOException;
  }

  private @Nullable Thread start(String name, long millis, long maxMillis, Task task) {
    if (millis == 0) {
      return null;
    }
    Thread thread =
        new Thread(() -> repeat(millis, maxMillis, task), "bloom-durable-" + name + " " + path);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void repeat(long millis, long maxMillis, Task task) {
    boolean isReported = false;
    long wait = millis;
    while (!isClosing) {
      try {
        awaitTurn(wait);
        if (!isClosing && !log.hasFailed()) {
          task.run();
          isReported = false;
          wait = millis;
        }
      } catch (IOException | RuntimeException | Error e) {
        wait = Math.min(wait * (isReported ? 2 : RETRY_FACTOR), maxMillis);
        if (!isClosing && !isReported) {
          isReported = true;
          report(e);
        }
      }
    }
  }

  private void report(Throwable e) {
    try {
      if (e instanceof IOException || e instanceof UncheckedIOException) { // its message is enough
        LOGGER.log(System.Logger.Level.WARNING, "cannot write to {0}: {1}", path, e.getMessage());
      } else {
        LOGGER.log(System.Logger.Level.WARNING, "cannot write to " + path, e);
      }
    } catch (RuntimeException | Error again) {
      // The thread must go on, with no memory even for a message, or a logger that throws.
    }
  }

  /** Waits, and writes the backlog when another thread unparks this one. */
  private void awaitTurn(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long rest; !isClosing && (rest = end - System.nanoTime()) > 0; ) {
      LockSupport.parkNanos(this, rest);
      Thread.interrupted(); // by somebody else: it would not wait any more
      if (!log.hasFailed()) {
        log.writeUnlessBusy();
      }
    }
  }

  /** Begins another segment or makes a snapshot if the present one is long. */
  private void compactIfLong() throws IOException {
    if (isLogLong()) {
      compact();
    } else if (log.segmentBytes() > settings.segmentBytes) {
      synchronized (compacting) {
        log.beginSegment();
      }
    }
  }

  private boolean isLogLong() {
    return log.bytes() > Math.max(settings.minLogBytes, snapshotBytes);
  }

  void compact() throws IOException {
    synchronized (compacting) {
      log.checkOpen();
      boolean isSegmentLong = log.segmentBytes() > settings.segmentBytes;
      if (isSegmentLong) { // also without room for a snapshot, or segments would have no limit
        log.beginSegment();
      }
      compaction.checkRoom(2 * snapshotBytes); // else the log would find none meanwhile
      if (!isSegmentLong) {
        log.beginSegment();
      }
      log.forget(compaction.run(log.segmentNumber()));
      compaction.deleteObsolete();
      snapshotBytes = compaction.snapshotBytes();
    }
  }

  @Override
  public void close() throws IOException {
    boolean wasClosed = isClosed;
    isClosing = true;
    boolean isInterrupted = false;
    boolean isByLogger = Arrays.asList(threads).contains(Thread.currentThread());
    for (Thread thread : threads) {
      if (thread != null && isByLogger) {
        thread.interrupt(); // it may wait for the same logger
      } else if (thread != null) {
        isInterrupted |= isEndInterrupted(thread);
      }
    }
    try {
      synchronized (compacting) {
        if (isClosed) {
          if (!wasClosed && closeFailure != null) { // another thread closed it meanwhile
            throw new IOException(closeFailure.getMessage(), closeFailure);
          }
          return;
        }
        try {
          log.close();
        } catch (IOException e) {
          closeFailure = e;
          unlock();
          throw e;
        }
        unlock();
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Not called after an error: another thread may still write. Then {@link #close} is repeated. */
  private void unlock() throws IOException {
    lock.close();
    isClosed = true;
  }

  /** Ends a thread. Returns whether this thread was interrupted while it waited. */
  private static boolean isEndInterrupted(Thread thread) {
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    return isInterrupted;
  }
}
