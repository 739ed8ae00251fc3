package io.bloomkit.durable;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Files in memory, with a journal of all that was done to them. From any part of the journal, it
 * tells what a power cut may leave: what was forced, and any part of what was not, page by page and
 * name by name.
 */
final class JournalStorage implements Storage {

  /** What a disk writes at once. */
  private static final int PAGE_BYTES = 64;

  private sealed interface Event {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Write(int file, int offset, byte[] bytes) implements Event {}

  /** An existing file is emptied, which does not write its name again. */
  private record Truncation(int file) implements Event {}

  private record Force(int file) implements Event {}

  /** A force that failed: later ones do not write what this one did not. */
  private record FailedForce(int file) implements Event {}

  /** A name refers to a file from now on; −1 for a deletion. */
  private record Name(String name, int file) implements Event {}

  private record Rename(String from, String to, int file) implements Event {}

  private record ForceNames() implements Event {}

  /** The same for names: later ones do not write those before this one. */
  private record FailedForceNames() implements Event {}

  /** Returns a storage whose calls a handler takes. */
  static Storage intercepted(InvocationHandler handler) {
    return (Storage)
        Proxy.newProxyInstance(
            JournalStorage.class.getClassLoader(), new Class<?>[] {Storage.class}, handler);
  }

  private final List<Event> journal = new ArrayList<>();
  private final SortedMap<String, Integer> names = new TreeMap<>();
  private final Map<Integer, byte[]> contents = new HashMap<>();
  private int files;

  /** The number of bytes that the disk has room for. */
  private long room = Long.MAX_VALUE;

  private int forcesBeforeFailures = Integer.MAX_VALUE;
  private boolean failsOnce;
  private boolean failsToDelete;

  /** Whether a process ends before it leaves the file that tells of a failed force. */
  private boolean isKilledByFailure;

  private @Nullable Error error;
  private int callsBeforeError;
  private int forces;

  JournalStorage() {}

  /** Makes the disk full after some more bytes. */
  synchronized void limit(long bytes) {
    room = bytes;
  }

  /** Makes all forces fail after some more, or hardly ever by the greatest number. */
  synchronized void failToForceAfter(int successes) {
    forcesBeforeFailures = successes;
    failsOnce = false;
  }

  /** Makes one force fail after some more. */
  synchronized void failToForceOnceAfter(int successes) {
    forcesBeforeFailures = successes;
    failsOnce = true;
  }

  /** Makes failed forces leave no trace. */
  synchronized void killByFailure() {
    isKilledByFailure = true;
  }

  /** Makes all later deletions fail, or succeed again. */
  synchronized void failToDelete(boolean fails) {
    failsToDelete = fails;
  }

  /** Makes a later call throw an error, once. */
  synchronized void failAfter(int calls, Error thrown) {
    callsBeforeError = calls;
    error = thrown;
  }

  /** Returns whether the error was thrown, or there is none. */
  synchronized boolean hasNoErrorLeft() {
    return error == null;
  }

  private void throwError() {
    if (error != null && callsBeforeError-- == 0) {
      Error thrown = error;
      error = null;
      throw thrown;
    }
  }

  synchronized int forces() {
    return forces;
  }

  /** Returns the number of events so far. */
  synchronized int events() {
    return journal.size();
  }

  /**
   * Returns what a process finds if another one was killed: everything, forced or not. What was not
   * forced may still be lost in a later power cut.
   */
  synchronized JournalStorage afterKill(int events) {
    JournalStorage after = new JournalStorage();
    after.files = files;
    for (Event event : journal.subList(0, events)) {
      after.apply(event);
      after.journal.add(event);
    }
    return after;
  }

  private void apply(Event event) {
    if (event instanceof Write write) {
      put(write.file, write.offset, write.bytes);
    } else if (event instanceof Truncation truncation) {
      contents.put(truncation.file, new byte[0]);
    } else if (event instanceof Name name) {
      name(name);
    } else if (event instanceof Rename rename) {
      rename(rename);
    }
  }

  /**
   * Returns what a power cut leaves.
   *
   * @param events the number of events before it
   * @param isPersistent called for each page and name that was not forced
   */
  synchronized JournalStorage afterCrash(int events, BooleanSupplier isPersistent) {
    Map<Integer, Boolean> isForcedNext = new HashMap<>();
    Set<Event> forced = Collections.newSetFromMap(new IdentityHashMap<>());
    boolean areNamesForcedNext = false;
    for (int i = events - 1; i >= 0; i--) {
      Event event = journal.get(i);
      if (event instanceof Force force) {
        isForcedNext.put(force.file, true);
      } else if (event instanceof FailedForce force) {
        isForcedNext.put(force.file, false);
      } else if (event instanceof Write write && isForcedNext.getOrDefault(write.file, false)) {
        forced.add(write);
      } else if (event instanceof Truncation cut && isForcedNext.getOrDefault(cut.file, false)) {
        forced.add(cut);
      } else if (event instanceof ForceNames || event instanceof FailedForceNames) {
        areNamesForcedNext = event instanceof ForceNames;
      } else if (areNamesForcedNext && (event instanceof Name || event instanceof Rename)) {
        forced.add(event);
      }
    }
    JournalStorage after = new JournalStorage();
    after.files = files;
    for (int i = 0; i < events; i++) {
      Event event = journal.get(i);
      if (event instanceof Write write) {
        if (forced.contains(write)) {
          after.put(write.file, write.offset, write.bytes);
          continue;
        }
        for (int page = 0; page < write.bytes.length; page += PAGE_BYTES) {
          if (isPersistent.getAsBoolean()) {
            int end = Math.min(write.bytes.length, page + PAGE_BYTES);
            after.put(write.file, write.offset + page, Arrays.copyOfRange(write.bytes, page, end));
          }
        }
      } else if (event instanceof Truncation cut) {
        if (forced.contains(event) || isPersistent.getAsBoolean()) {
          after.contents.put(cut.file, new byte[0]);
        }
      } else if (event instanceof Name name) {
        if (forced.contains(event) || isPersistent.getAsBoolean()) {
          after.name(name);
        }
      } else if (event instanceof Rename rename) {
        if (forced.contains(event) || isPersistent.getAsBoolean()) {
          after.rename(rename);
        }
      }
    }
    after.names.values().forEach(file -> after.contents.putIfAbsent(file, new byte[0]));
    Map<String, Integer> left = new LinkedHashMap<>(after.names);
    left.forEach(
        (name, file) -> {
          after.journal.add(new Write(file, 0, after.bytesOf(file)));
          after.journal.add(new Force(file));
          after.journal.add(new Name(name, file));
        });
    after.journal.add(new ForceNames());
    return after;
  }

  private void put(int file, int offset, byte[] bytes) {
    byte[] old = contents.getOrDefault(file, new byte[0]);
    byte[] grown = Arrays.copyOf(old, Math.max(old.length, offset + bytes.length));
    System.arraycopy(bytes, 0, grown, offset, bytes.length);
    contents.put(file, grown);
  }

  private void name(Name name) {
    if (name.file < 0) {
      names.remove(name.name);
    } else {
      names.put(name.name, name.file);
      contents.putIfAbsent(name.file, new byte[0]);
    }
  }

  private void rename(Rename rename) {
    names.remove(rename.from);
    names.put(rename.to, rename.file);
  }

  /** Returns the bytes of a file. */
  synchronized byte[] bytes(String name) throws IOException {
    return bytesOf(file(name)).clone();
  }

  /** Replaces the bytes of a file. */
  synchronized void setBytes(String name, byte[] bytes) {
    Integer file = names.get(name);
    if (file == null) {
      file = files++;
      names.put(name, file);
      journal.add(new Name(name, file));
      journal.add(new ForceNames());
    }
    contents.put(file, bytes.clone());
    journal.add(new Write(file, 0, bytes.clone()));
    journal.add(new Force(file));
  }

  private byte[] bytesOf(int file) {
    return Objects.requireNonNull(contents.get(file));
  }

  private int file(String name) throws IOException {
    Integer file = names.get(name);
    if (file == null) {
      throw new FileNotFoundException(name);
    }
    return file;
  }

  @Override
  public synchronized SortedSet<String> list() {
    throwError();
    return new TreeSet<>(names.keySet());
  }

  @Override
  public synchronized long size(String name) throws IOException {
    throwError();
    return bytesOf(file(name)).length;
  }

  @Override
  public synchronized long room() {
    return room;
  }

  @Override
  public synchronized InputStream read(String name) throws IOException {
    throwError();
    return new ByteArrayInputStream(bytes(name));
  }

  @Override
  public synchronized Output create(String name) {
    throwError();
    Integer existing = names.get(name);
    int file = existing == null ? files++ : existing;
    Event event = existing == null ? new Name(name, file) : new Truncation(file);
    contents.put(file, new byte[0]);
    apply(event);
    journal.add(event);
    return new MemoryOutput(file, 0);
  }

  @Override
  public synchronized Output append(String name, long offset) throws IOException {
    throwError();
    return new MemoryOutput(file(name), (int) offset);
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    throwError();
    Rename rename = new Rename(from, to, file(from));
    rename(rename);
    journal.add(rename);
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    throwError();
    if (failsToDelete) {
      throw new IOException("Operation not permitted");
    }
    if (names.containsKey(name)) {
      room = Math.max(room, room + bytesOf(file(name)).length); // or hardly limited
      Name deleted = new Name(name, -1);
      name(deleted);
      journal.add(deleted);
    }
  }

  @Override
  public synchronized void force(String name) throws IOException {
    force(file(name));
  }

  private void force(int file) throws IOException {
    if (forcesBeforeFailures == 0) {
      journal.add(new FailedForce(file));
    }
    checkForces();
    journal.add(new Force(file));
  }

  @Override
  public synchronized void forceNames() throws IOException {
    if (forcesBeforeFailures == 0) {
      journal.add(new FailedForceNames());
    }
    checkForces();
    journal.add(new ForceNames());
  }

  private void checkForces() throws IOException {
    throwError();
    forces++;
    if (forcesBeforeFailures == 0) {
      forcesBeforeFailures = failsOnce ? Integer.MAX_VALUE : 0;
      if (!isKilledByFailure) {
        Output unused = create(FolderNames.UNFORCED);
      }
      throw new IOException("Input/output error");
    }
    forcesBeforeFailures--;
  }

  @Override
  public Path path(String name) {
    return Path.of("memory").resolve(name);
  }

  private final class MemoryOutput implements Output {

    private final int file;
    private int position;

    MemoryOutput(int file, int position) {
      this.file = file;
      this.position = position;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      synchronized (JournalStorage.this) {
        throwError();
        int written = (int) Math.min(length, room);
        room -= written;
        byte[] copy = Arrays.copyOfRange(bytes, offset, offset + written);
        put(file, position, copy);
        journal.add(new Write(file, position, copy));
        position += written;
        if (written < length) {
          throw new IOException("No space left on device");
        }
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (JournalStorage.this) {
        JournalStorage.this.force(file);
      }
    }

    @Override
    public void close() {}
  }
}
