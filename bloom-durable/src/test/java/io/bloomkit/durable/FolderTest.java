package io.bloomkit.durable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders of the file system: their locks, names, links and permissions. */
class FolderTest {

  private final JournalStorage storage = new JournalStorage();
  private final Workload workload = new Workload(Kind.COUNTING, 9);

  @Test
  void oneFilterHasTheFolder(@TempDir Path folder) throws IOException {
    Path mine = folder.resolve("seen");
    DurableFilter<String> filter = DurableFilter.open(mine, Kind.texts());
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> DurableFilter.open(mine, Kind.texts()));
    assertTrue(String.valueOf(e.getMessage()).contains("has it open"), e.getMessage());
    filter.add("a");
    filter.close();
    filter.close();
    try (DurableFilter<String> again = DurableFilter.open(mine, Kind.texts())) {
      assertTrue(again.mightContain("a"));
      assertFalse(again.mightContain("b"));
    }
  }

  @Test
  void aRefusedFolderIsNotChanged(@TempDir Path folder) throws IOException {
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    Files.writeString(foreign.resolve("letter.txt"), "text");
    assertThrows(FileSystemException.class, () -> DurableFilter.open(foreign, Kind.texts()));
    assertThrows(
        FileSystemException.class,
        () -> DurableFilter.create(foreign, Kind.texts().<String>build()));
    Path none = folder.resolve("none");
    assertThrows(
        IllegalStateException.class,
        () -> DurableFilter.open(none, ClassicBloomFilter.builder(HashStrategies.utf8())));
    try (Stream<Path> files = Files.walk(folder)) {
      assertEquals(
          List.of(folder, foreign, foreign.resolve("letter.txt")), files.sorted().toList());
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aLinkMayPointElsewhereLater(@TempDir Path folder) throws IOException {
    Path one = Files.createDirectory(folder.resolve("one"));
    Path two = Files.createDirectory(folder.resolve("two"));
    Path current = Files.createSymbolicLink(folder.resolve("current"), one);
    try (DurableFilter<String> filter = DurableFilter.open(current, Kind.texts())) {
      filter.add("a");
      Files.delete(current);
      Files.createSymbolicLink(current, two);
      filter.compact();
      filter.add("b");
    }
    try (DurableFilter<String> filter = DurableFilter.open(one, Kind.texts());
        Stream<Path> files = Files.list(two)) {
      assertTrue(filter.mightContain("a") && filter.mightContain("b"));
      assertEquals(0, files.count());
    }
  }

  private static void assertMoved(Path folder, DurableFilter<String> filter) {
    UncheckedIOException e = assertThrows(UncheckedIOException.class, filter::sync);
    assertTrue(String.valueOf(e.getMessage()).contains(folder + ": it was moved"), e.getMessage());
    assertThrows(IOException.class, filter::close);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderThatIsMovedTakesNoMoreUpdates(@TempDir Path temporary) throws IOException {
    Path folder = temporary.resolve("seen");
    Path moved = temporary.resolve("moved");
    DurableFilter<String> filter =
        DurableFilter.open(folder, Kind.texts(), SyncPolicy.EVERY_UPDATE);
    filter.add("a");
    Files.move(folder, moved);
    assertThrows(UncheckedIOException.class, () -> filter.add("b"));
    assertMoved(folder, filter);
    try (DurableFilter<String> again = DurableFilter.open(moved, Kind.texts())) {
      assertTrue(again.mightContain("a"));
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderThatIsReplacedIsNotChanged(@TempDir Path temporary) throws IOException {
    for (boolean isCopied : new boolean[] {false, true}) {
      Path folder = temporary.resolve("seen " + isCopied);
      Path moved = temporary.resolve("moved " + isCopied);
      DurableFilter<String> filter = DurableFilter.open(folder, Kind.texts(), SyncPolicy.ON_SYNC);
      filter.add("a");
      filter.sync();
      Files.move(folder, moved);
      Files.createDirectory(folder);
      if (isCopied) {
        copyFiles(moved, folder);
      }
      List<String> before = names(folder);
      IOException e = assertThrows(IOException.class, filter::compact);
      assertTrue(String.valueOf(e.getMessage()).contains("it was moved"), e.getMessage());
      filter.add("b");
      assertMoved(folder, filter);
      assertEquals(before, names(folder));
      for (Path path : isCopied ? List.of(folder, moved) : List.of(moved)) {
        try (DurableFilter<String> again = DurableFilter.open(path, Kind.texts())) {
          assertTrue(again.mightContain("a"));
        }
      }
    }
  }

  /** Else opening would wait for somebody who writes to it. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void pipesAreRefused(@TempDir Path folder) throws Exception {
    for (String name : List.of(FolderNames.IDENTITY, FolderNames.LOCK)) {
      Path pipe = folder.resolve(name);
      assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
      FileSystemException e =
          assertThrows(FileSystemException.class, () -> DurableFilter.open(folder, Kind.texts()));
      assertEquals(pipe + ": it is not a regular file", e.getMessage());
      Files.delete(pipe);
    }
  }

  /** Another process may have locked the new one. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderThatIsReplacedOnceItIsLockedIsNotChanged(@TempDir Path temporary) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("seen"));
    try (FolderLock lock = FolderLock.lock(folder)) {
      Files.move(folder, temporary.resolve("moved"));
      Files.createDirectory(folder);
      Files.createFile(folder.resolve(FolderNames.LOCK));
      List<String> before = names(folder);
      Storage files = new FolderStorage(folder, lock.state());
      FileSystemException e =
          assertThrows(FileSystemException.class, () -> files.create(FolderNames.IDENTITY));
      assertTrue(String.valueOf(e.getMessage()).contains("it was moved"), e.getMessage());
      assertEquals(before, names(folder));
    }
  }

  @Test
  void aFolderIsClaimedBeforeItsLockIsCreated(@TempDir Path folder) throws IOException {
    Object key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
    String claim = "io.bloomkit.durable.lock.folder " + (key == null ? folder.toRealPath() : key);
    System.setProperty(claim, ""); // by a thread that creates it, by whatever path
    try {
      assertThrows(FileSystemException.class, () -> DurableFilter.open(folder, Kind.texts()));
      assertFalse(Files.exists(folder.resolve(FolderNames.LOCK)));
    } finally {
      System.clearProperty(claim);
    }
    DurableFilter.open(folder, Kind.texts()).close();
  }

  @Test
  void aFolderThatCouldNotBeForcedOnceIsNotTakenForOneThatNeverCan(@TempDir Path folder) {
    assertFalse(FolderStorage.isNeverForced(folder));
    Path unforced = Path.of("/proc");
    assertEquals(Files.isDirectory(unforced), FolderStorage.isNeverForced(unforced));
  }

  /** Then another process may have the folder. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderWhoseLockIsDeletedTakesNoMoreUpdates(@TempDir Path folder) throws IOException {
    DurableFilter<String> filter = DurableFilter.open(folder, Kind.texts(), SyncPolicy.ON_SYNC);
    filter.add("a");
    Files.delete(folder.resolve(FolderNames.LOCK));
    assertMoved(folder, filter);
  }

  /** Another process may have cut it off. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aForceDoesNotSucceedWithoutTheLock(@TempDir Path folder) throws IOException {
    try (FolderLock lock = FolderLock.lock(folder);
        Storage.Output output = new FolderStorage(folder, lock.state()).create("file")) {
      output.write(new byte[1], 0, 1);
      Files.delete(folder.resolve(FolderNames.LOCK));
      assertThrows(FileSystemException.class, output::force);
    }
  }

  /** The process was paused before a write since before it lost the lock. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisabledOnOs(OS.WINDOWS)
  void aLateWriteOfAProcessWithoutItsLockLosesNoUpdate(boolean isCompacted, @TempDir Path folder)
      throws IOException {
    DurableFilter.open(folder, Kind.texts()).close();
    DurableFilter<String> first = DurableFilter.open(folder, Kind.texts(), SyncPolicy.ON_SYNC);
    if (isCompacted) {
      first.compact();
    }
    Path log = folder.resolve(FolderNames.log(isCompacted ? 2 : 1));
    try (RandomAccessFile paused = new RandomAccessFile(log.toFile(), "rw")) {
      paused.seek(first.logBytes());
      Files.delete(folder.resolve(FolderNames.LOCK));
      try (DurableFilter<String> second = DurableFilter.open(folder, Kind.texts())) {
        second.add("a");
      }
      paused.write(new byte[LogFormat.FRAME_BYTES]);
    }
    assertThrows(IOException.class, first::close);
    try (DurableFilter<String> again = DurableFilter.open(folder, Kind.texts())) {
      assertTrue(again.mightContain("a"));
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  static void copyFiles(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void aBuilderMayBeChangedLater(@TempDir Path folder) throws IOException {
    var builder =
        ExpiringCuckooFilter.builder(HashStrategies.utf8())
            .expecting(1000, 0.01)
            .expireAfterAdd(Duration.ofHours(1));
    try (DurableFilter<String> filter = DurableFilter.open(folder, builder)) {
      filter.add("a");
      builder.expecting(5000, 0.01);
      filter.compact();
    }
  }

  /** A lock of the file that is opened again before it is closed would end with that. */
  @Test
  void aFolderThatIsClosedAndOpenedAtOnceIsLocked(@TempDir Path folder) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try {
      List<Callable<Integer>> tasks = Collections.nCopies(3, () -> lockOften(folder));
      int held = 0;
      for (Future<Integer> task : pool.invokeAll(tasks)) {
        held += task.get(); // one thread may be refused each time
      }
      assertTrue(held > 0);
    } finally {
      pool.shutdown();
    }
  }

  /** As by this class in another class loader. */
  @Test
  void aLockOfAnotherClassLoaderIsKept(@TempDir Path folder) throws Exception {
    DurableFilter.open(folder, Kind.DYNAMIC.builder(200, new Kind.Clock())).close();
    try (FileChannel other =
        FileChannel.open(folder.resolve(FolderNames.LOCK), StandardOpenOption.WRITE)) {
      other.lock();
      FileSystemException e =
          assertThrows(FileSystemException.class, () -> FolderLock.lock(folder));
      assertTrue(String.valueOf(e.getMessage()).contains("this process has it"), e.getMessage());
      System.gc(); // which would close the channel of the refused lock
      Thread.sleep(300);
      Process process = KilledWriter.process(folder, Kind.DYNAMIC, 0).start();
      process.getInputStream().close(); // if it had the folder, it would end at its first line
      String errors = new String(process.getErrorStream().readAllBytes(), US_ASCII);
      assertTrue(errors.contains("another process has it open"), errors);
    }
  }

  /** As of two web applications: a refused one must not end the lock of the other. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void anotherClassLoaderIsRefusedWithoutAFile(@TempDir Path folder) throws Exception {
    Path file = folder.resolve(FolderNames.LOCK);
    FolderLock lock = FolderLock.lock(folder);
    try (URLClassLoader loader = anotherLoader()) {
      Class<?> other = loader.loadClass(FolderLock.class.getName());
      for (String name : List.of("lock", "lockToRead")) {
        Method method = other.getDeclaredMethod(name, Path.class);
        method.setAccessible(true);
        InvocationTargetException refusal =
            assertThrows(InvocationTargetException.class, () -> method.invoke(null, folder));
        String message = String.valueOf(refusal.getCause());
        assertTrue(message.contains("this process has it open"), message);
        assertEquals(1, openFiles(file), "closing a second one would end the lock");
      }
    }
    lock.close();
    assertEquals(0, openFiles(file));
    FolderLock.lockToRead(folder).close();
    FolderLock.lock(folder).close();
  }

  private static URLClassLoader anotherLoader() {
    URL classes = FolderLock.class.getProtectionDomain().getCodeSource().getLocation();
    return new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
  }

  private static long openFiles(Path file) throws IOException {
    long open = 0;
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          open += Files.isSameFile(descriptor, file) ? 1 : 0;
        } catch (IOException e) {
          // of the stream of descriptors, which is closed
        }
      }
    }
    return open;
  }

  private static int lockOften(Path folder) throws IOException {
    int held = 0;
    for (int i = 0; i < 2000; i++) {
      try {
        FolderLock.lock(folder).close();
        held++;
      } catch (FileSystemException e) { // the only refusal
        assertTrue(String.valueOf(e.getMessage()).contains("this process has it open"));
      }
    }
    return held;
  }

  @Test
  void eachFolderThatMayBeNewIsForced(@TempDir Path temporary) throws IOException {
    Path folder = temporary.toRealPath();
    List<Path> above = new ArrayList<>();
    for (Path parent = folder; parent != null; parent = parent.getParent()) {
      above.add(parent);
    }
    Path a = folder.resolve("a");
    Path nested = a.resolve("b").resolve("c");
    List<Path> all = new ArrayList<>(List.of(a.resolve("b"), a));
    all.addAll(above);
    assertEquals(all, DurableFolder.parentsToForce(nested));
    Files.createDirectory(a);
    assertEquals(
        all, DurableFolder.parentsToForce(nested), "a process that was killed may have created a");
    DurableFilter.open(nested, Kind.texts()).close();
    assertEquals(
        all,
        DurableFolder.parentsToForce(nested),
        "another process may have created it just before");
  }

  /** The name of a link may be in memory only, too, and that of a link to which it leads. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void theFoldersOfLinksAreForced(@TempDir Path temporary) throws IOException {
    Path folder = Files.createDirectories(temporary.resolve("data/seen"));
    Path links = Files.createDirectory(temporary.resolve("links"));
    Path more = Files.createDirectory(temporary.resolve("more"));
    Files.createSymbolicLink(links.resolve("data"), Path.of("../more/data"));
    Files.createSymbolicLink(more.resolve("data"), folder.getParent());
    Path named = links.resolve("data").resolve(folder.getFileName());
    Set<Path> forced = new HashSet<>();
    for (Path parent : DurableFolder.parentsToForce(named)) {
      forced.add(parent.toRealPath());
    }
    for (Path parent : List.of(links, more, folder.getParent(), temporary)) {
      assertTrue(forced.contains(parent.toRealPath()), parent + " of " + forced);
    }
    DurableFilter.open(named, Kind.texts()).close();
  }

  @Test
  void aFileIsNoFolder(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("seen"), "text");
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> DurableFilter.open(file, Kind.texts()));
    assertTrue(String.valueOf(e.getMessage()).contains("it is a file"), e.getMessage());
  }

  /** Changes what the first listing of the storage returns. */
  private Storage changingFirstList(Consumer<SortedSet<String>> change) {
    AtomicInteger listings = new AtomicInteger();
    return JournalStorage.intercepted(
        (proxy, method, arguments) -> {
          if (method.getName().equals("list")) {
            SortedSet<String> names = storage.list();
            if (listings.getAndIncrement() == 0) {
              change.accept(names);
            }
            return names;
          }
          return method.invoke(storage, arguments);
        });
  }

  /** The first listing saw neither the old nor the new name. */
  @Test
  void anIdentityThatIsRenamedWhileFilesAreListedIsNotMissing() throws IOException {
    workload.open(storage, SyncPolicy.ON_SYNC).close();
    Storage renaming = changingFirstList(names -> names.remove(FolderNames.IDENTITY));
    assertTrue(LoadedFolder.identity(renaming).isPresent());
  }

  /** The first listing saw the old name, and the log has frames when its size is read. */
  @Test
  void anIdentityThatIsRenamedAfterFilesWereListedIsNotMissing() throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC);
    workload.update(filter);
    filter.close();
    Storage renaming =
        changingFirstList(
            names -> {
              names.remove(FolderNames.IDENTITY);
              names.add(FolderNames.NEW_IDENTITY);
            });
    assertTrue(LoadedFolder.identity(renaming).isPresent());
  }

  @Test
  void aFolderThatAnotherProcessCreatesIsNotTakenForAFile(@TempDir Path temporary)
      throws Exception {
    Path folder = temporary.resolve("seen");
    ExecutorService pool = Executors.newFixedThreadPool(1);
    try {
      for (int i = 0; i < 500; i++) {
        Future<Path> created = pool.submit(() -> Files.createDirectory(folder));
        boolean isDone;
        do {
          isDone = created.isDone();
          assertFalse(DurableFolder.hasFilter(folder));
        } while (!isDone);
        Files.delete(created.get());
      }
    } finally {
      pool.shutdown();
    }
  }

  private static void assertNoPermission(Path folder, Executable opening) {
    AccessDeniedException e = assertThrows(AccessDeniedException.class, opening);
    assertEquals(folder.resolve("lock") + ": no permission to write the folder", e.getMessage());
  }

  @Test
  void aFolderWithoutWritePermissionIsRefused(@TempDir Path folder, @TempDir Path closed)
      throws IOException {
    DurableFilter.open(closed, Kind.texts()).close();
    assumeTrue(folder.toFile().setWritable(false) && closed.toFile().setWritable(false));
    try {
      assumeFalse(Files.isWritable(folder), "root may write anywhere: see the next test");
      assertNoPermission(folder, () -> DurableFilter.open(folder, Kind.texts()));
      assertNoPermission(closed, () -> DurableFilter.open(closed, Kind.texts()));
    } finally {
      folder.toFile().setWritable(true);
      closed.toFile().setWritable(true);
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderThatCannotBeReadIsNotTakenForForced(@TempDir Path folder) throws IOException {
    assumeTrue(folder.toFile().setReadable(false));
    try {
      assumeFalse(Files.isReadable(folder), "root may read anywhere");
      assertThrows(AccessDeniedException.class, () -> FolderStorage.forceFolder(folder));
      Path created = folder.resolve("a/b");
      assertThrows(
          AccessDeniedException.class,
          () -> DurableFilter.open(created, workload.builder, SyncPolicy.ON_SYNC));
      assertFalse(Files.exists(created.getParent()), "its name is written again with the next try");
    } finally {
      folder.toFile().setReadable(true);
    }
  }

  /** As when a filter is closed while it is compacted. */
  @Test
  void anInterruptIsNoFailureOfTheDisk(@TempDir Path folder) throws Exception {
    Storage storage = new FolderStorage(folder);
    Thread caller = Thread.currentThread();
    AtomicBoolean isDone = new AtomicBoolean();
    Thread interrupter =
        new Thread(
            () -> {
              while (!isDone.get()) {
                caller.interrupt();
              }
            });
    interrupter.start();
    int interrupts = 0;
    try {
      for (int i = 0; i < 300; i++) {
        storage.forceNames();
        interrupts += Thread.interrupted() ? 1 : 0;
      }
    } finally {
      isDone.set(true);
      while (interrupter.isAlive()) {
        Thread.onSpinWait();
      }
      Thread.interrupted();
    }
    assertTrue(interrupts > 100, interrupts + " interrupts are kept");
    assertEquals(Set.of(), storage.list());
  }

  /** No user may create files in this folder. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFolderInWhichEvenRootMayNotWriteIsRefused() {
    Path folder = Path.of("/sys/kernel");
    assumeTrue(Files.isDirectory(folder));
    assertNoPermission(folder, () -> FolderLock.lock(folder));
  }

  @Test
  void anInterruptedThreadMayUpdate(@TempDir Path folder) throws IOException {
    try (DurableFilter<String> filter =
        DurableFilter.open(folder.resolve("seen"), Kind.texts(), SyncPolicy.EVERY_UPDATE)) {
      Thread.currentThread().interrupt();
      filter.add("a");
      filter.sync();
      assertTrue(Thread.interrupted());
      filter.add("b");
    }
  }
}
