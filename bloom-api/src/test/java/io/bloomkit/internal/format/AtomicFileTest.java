package io.bloomkit.internal.format;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {

  @TempDir private Path directory;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  private static AtomicFile.Body text(String text) {
    return out -> out.write(text.getBytes(US_ASCII));
  }

  @Test
  void fileIsWrittenAndReplacedAndNoTemporaryFileRemains() throws IOException {
    Path file = directory.resolve("a.bloom");
    AtomicFile.write(file, text("first and long"));
    assertEquals("first and long", Files.readString(file));
    AtomicFile.write(file, text("second"));
    assertEquals("second", Files.readString(file));
    assertEquals(List.of("a.bloom"), names());
  }

  @Test
  void filesOfAKilledWriterAreDeletedAndOthersStay() throws IOException {
    Files.writeString(directory.resolve(".bloom-00000000deadbeef.tmp"), "half");
    Files.writeString(directory.resolve(".bloom-a.lock"), "");
    Files.writeString(directory.resolve("x.tmp"), "mine");
    Files.writeString(directory.resolve(".bloom-seen.tmp"), "a filter");
    Files.writeString(directory.resolve(".bloom-00000000cafebabe.tmp"), "the target");
    AtomicFile.deleteAbandoned(directory.resolve(".bloom-00000000cafebabe.tmp"));
    assertEquals(
        List.of(".bloom-00000000cafebabe.tmp", ".bloom-a.lock", ".bloom-seen.tmp", "x.tmp"),
        names());
    AtomicFile.deleteAbandoned(directory.resolve("missing").resolve("a.bloom"));
    Files.writeString(directory.resolve(".bloom-00000000deadbeef.tmp"), "half");
    AtomicFile.write(directory.resolve("a.bloom"), text("whole"));
    assertEquals(List.of(".bloom-a.lock", ".bloom-seen.tmp", "a.bloom", "x.tmp"), names());
  }

  @Test
  void aLockedFileStays() throws IOException {
    Path file = directory.resolve(".bloom-00000000deadbeef.tmp");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertTrue(channel.lock().isValid());
      AtomicFile.deleteAbandoned(directory.resolve("a.bloom"));
      assertTrue(Files.exists(file));
    }
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("a file")).resolve("a.bloom");
    FileSystemException thrown =
        assertThrows(FileSystemException.class, () -> AtomicFile.write(file, text("x")));
    assertEquals(file.toString(), thrown.getFile());
  }

  @Test
  void theFileOfALivingWriterIsNotTakenForAnAbandonedOne() throws IOException {
    Path file = directory.resolve("a.bloom");
    AtomicFile.write(
        file,
        out -> {
          out.write('x');
          AtomicFile.deleteAbandoned(directory.resolve("b.bloom"));
          assertEquals("x", Files.readString(directory.resolve(names().get(0))));
          out.write('y');
        });
    assertEquals("xy", Files.readString(file));
    assertEquals(List.of("a.bloom"), names());
  }

  @Test
  void fileInAMissingDirectoryIsNamed() {
    Path file = directory.resolve("missing").resolve("a.bloom");
    NoSuchFileException thrown =
        assertThrows(NoSuchFileException.class, () -> AtomicFile.write(file, text("x")));
    assertEquals(file.toString(), thrown.getFile());
    assertEquals("there is no directory " + file.getParent(), thrown.getReason());
  }

  @Test
  void aNameThatIsTooLongIsNamedAndNotThatOfTheTemporaryFile() throws IOException {
    assumePosix();
    Path file = directory.resolve("a".repeat(300));
    FileSystemException thrown =
        assertThrows(FileSystemException.class, () -> AtomicFile.write(file, text("x")));
    assertEquals(file + ": File name too long", thrown.getMessage());
    assertEquals(List.of(), names());
  }

  @Test
  void aFailedRenameNamesTheTargetFile() throws IOException {
    assumePosix();
    Path file = directory.resolve("a.bloom");
    FileSystemException thrown =
        assertThrows(
            FileSystemException.class,
            () -> AtomicFile.write(file, out -> Files.delete(directory.resolve(names().get(0)))));
    assertEquals(
        file + ": the temporary file beside it is gone or may not be renamed", thrown.getMessage());
    assertInstanceOf(NoSuchFileException.class, thrown.getCause());
  }

  @Test
  void aDirectoryThatTakesNoFilesIsNotSaidToBeMissing() {
    Path proc = Path.of("/proc");
    Assumptions.assumeTrue(Files.isDirectory(proc.resolve("self")));
    FileSystemException thrown =
        assertThrows(
            FileSystemException.class, () -> AtomicFile.write(proc.resolve("xyz"), text("x")));
    assertEquals("/proc/xyz: no files can be created in /proc", thrown.getMessage());
  }

  @Test
  void temporaryFileAndThenItsDirectoryAreForcedToTheDisk() throws IOException {
    assumePosix();
    Assumptions.assumeTrue(ForcedFiles.areSeen());
    Path real = directory.toRealPath();
    List<Path> forced =
        ForcedFiles.meanwhile(() -> AtomicFile.write(real.resolve("a.bloom"), text("x"))).stream()
            .filter(path -> path.startsWith(real))
            .toList();
    assertEquals(2, forced.size(), forced.toString());
    assertTrue(String.valueOf(forced.get(0).getFileName()).startsWith(".bloom-"));
    assertEquals(real, forced.get(1));
  }

  @Test
  void oldFileIsWholeUntilTheNewOneIs() throws IOException {
    Path file = directory.resolve("a.bloom");
    AtomicFile.write(file, text("first"));
    AtomicFile.write(
        file,
        out -> {
          out.write('n');
          out.flush();
          assertEquals("first", Files.readString(file));
          assertEquals(2, names().size());
        });
    assertEquals("n", Files.readString(file));
  }

  @Test
  void failureLeavesTheOldFileAndNothingElse() throws IOException {
    Path file = directory.resolve("a.bloom");
    AtomicFile.write(file, text("first"));
    for (Throwable failure :
        new Throwable[] {
          new IOException("disk full"), new IllegalStateException("changed"), new AssertionError()
        }) {
      Throwable thrown =
          assertThrows(failure.getClass(), () -> AtomicFile.write(file, out -> fail(out, failure)));
      if (failure instanceof IOException) {
        assertEquals(file + ": disk full", thrown.getMessage());
        assertSame(failure, thrown.getCause());
      } else {
        assertSame(failure, thrown);
      }
      assertEquals("first", Files.readString(file));
      assertEquals(List.of("a.bloom"), names());
    }
  }

  /** On Windows not before its readers have closed it. */
  @Test
  void aFileThatIsBeingReadIsReplaced() throws Exception {
    Path file = Files.writeString(directory.resolve("a.bloom"), "first");
    Thread writer = new Thread(() -> assertDoesNotThrow(() -> AtomicFile.write(file, text("x"))));
    try (InputStream in = Files.newInputStream(file)) {
      writer.start();
      writer.join(100);
      assertArrayEquals("first".getBytes(US_ASCII), in.readAllBytes());
    }
    writer.join();
    assertEquals("x", Files.readString(file));
    assertEquals(List.of("a.bloom"), names());
  }

  private static void fail(OutputStream out, Throwable failure) throws IOException {
    out.write(new byte[100_000]);
    if (failure instanceof IOException io) {
      throw io;
    } else if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    throw (Error) failure;
  }

  @Test
  void aFileThatCannotBeReplacedStays() throws IOException {
    Path file = directory.resolve("folder");
    Files.createDirectories(file.resolve("inner"));
    assertThrows(IOException.class, () -> AtomicFile.write(file, text("x")));
    assertTrue(Files.isDirectory(file.resolve("inner")));
    assertEquals(List.of("folder"), names());
    Path nowhere = directory.resolve("missing").resolve("a.bloom");
    assertThrows(IOException.class, () -> AtomicFile.write(nowhere, text("x")));
    assertFalse(Files.exists(nowhere));
  }

  @Test
  void relativePathIsThatOfTheWorkingDirectory() throws IOException {
    Path relative = Files.createTempDirectory(Path.of("target"), "relative").resolve("a.bloom");
    assertFalse(relative.isAbsolute());
    AtomicFile.write(relative, text("x"));
    assertEquals("x", Files.readString(relative.toAbsolutePath()));
    try (Stream<Path> files = Files.list(relative.getParent())) {
      assertEquals(List.of(relative), files.toList());
    }
  }

  @Test
  void symbolicLinkStaysOne() throws IOException {
    assumePosix();
    Path file = directory.resolve("a.bloom");
    Files.writeString(file, "first");
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a.bloom"));
    AtomicFile.write(link, text("second"));
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("second", Files.readString(file));
  }

  @Test
  void symbolicLinkToAFileThatIsYetToBeMadeStaysOne() throws IOException {
    assumePosix();
    Path target = directory.resolve("target");
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("target"));
    Path second = Files.createSymbolicLink(directory.resolve("second"), Path.of("link"));
    AtomicFile.write(second, text("new"));
    assertTrue(Files.isSymbolicLink(second) && Files.isSymbolicLink(link));
    assertEquals("new", Files.readString(target));
    Path round = directory.resolve("round");
    Files.createSymbolicLink(round, Path.of("round"));
    assertThrows(IOException.class, () -> AtomicFile.write(round, text("x")));
    assertTrue(Files.isSymbolicLink(round));
  }

  @Test
  void onlyRegularFilesAreReplaced() throws IOException {
    IOException e = assertThrows(IOException.class, () -> AtomicFile.write(directory, text("x")));
    assertTrue(e.toString().contains("not a regular file"), e.toString());
    assertTrue(Files.isDirectory(directory));
  }

  @Test
  void theTemporaryFileIsNoMoreReadableThanTheOldOne() throws IOException {
    assumePosix();
    Path file = Files.write(directory.resolve("secret"), new byte[] {1});
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    AtomicFile.write(
        file,
        out -> {
          try (Stream<Path> files = Files.list(directory)) {
            for (Path each : files.toList()) {
              assertEquals(
                  "rw-------",
                  PosixFilePermissions.toString(Files.getPosixFilePermissions(each)),
                  each.toString());
            }
          }
        });
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void permissionsAreThoseOfTheOldFileOrTheUsualOnes() throws IOException {
    assumePosix();
    Path file = directory.resolve("a.bloom");
    Path usual = Files.createFile(directory.resolve("usual"));
    AtomicFile.write(file, text("first"));
    assertEquals(Files.getPosixFilePermissions(usual), Files.getPosixFilePermissions(file));
    Set<PosixFilePermission> own = PosixFilePermissions.fromString("rw-r-----");
    Files.setPosixFilePermissions(file, own);
    AtomicFile.write(file, text("second"));
    assertEquals(own, Files.getPosixFilePermissions(file));
  }

  @Test
  void permissionsThatTheMaskOfTheProcessTakesAreKept() throws IOException {
    assumePosix();
    Path file = Files.createFile(directory.resolve("a.bloom"));
    Set<PosixFilePermission> all = PosixFilePermissions.fromString("rwxrwxrwx");
    Files.setPosixFilePermissions(file, all);
    AtomicFile.write(file, text("x"));
    assertEquals(all, Files.getPosixFilePermissions(file));
  }

  /** Needs a process that may give files away. */
  @Test
  void ownerAndGroupAreKeptWhereTheProcessMaySetThem() throws IOException {
    assumePosix();
    Path file = Files.createFile(directory.resolve("a.bloom"));
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    UserPrincipal owner;
    GroupPrincipal group;
    try {
      UserPrincipalLookupService users = directory.getFileSystem().getUserPrincipalLookupService();
      owner = users.lookupPrincipalByName("nobody");
      group = users.lookupPrincipalByGroupName("daemon");
      view.setGroup(group);
      view.setOwner(owner);
    } catch (IOException e) {
      Assumptions.abort("cannot give files away: " + e);
      return;
    }
    AtomicFile.write(file, text("x"));
    assertEquals(owner, view.readAttributes().owner());
    assertEquals(group, view.readAttributes().group());
    assertEquals("x", Files.readString(file));
  }

  @Test
  void temporaryFileThatCannotBeDeletedDoesNotHideTheFailure() throws IOException {
    assumePosix();
    IOException failure = new IOException("disk full");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                AtomicFile.write(
                    directory.resolve("a.bloom"),
                    out -> {
                      // A folder with something in it stands in the place of the temporary file.
                      Path temporary = directory.resolve(names().get(0));
                      Files.delete(temporary);
                      Files.createDirectories(temporary.resolve("inner"));
                      throw failure;
                    }));
    assertSame(failure, thrown.getCause());
    assertEquals(1, failure.getSuppressed().length);
    assertInstanceOf(DirectoryNotEmptyException.class, failure.getSuppressed()[0]);
  }

  /** A zip knows no permissions, and moves nothing over a file that is there. */
  @Test
  void failureOfTheLastStepLeavesTheOldFileAndNothingElse() throws IOException {
    Path zip = directory.resolve("a.zip");
    try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      Path file = files.getPath("/a.bloom");
      AtomicFile.write(file, text("first"));
      assertEquals("first", Files.readString(file));
      assertThrows(FileAlreadyExistsException.class, () -> AtomicFile.write(file, text("second")));
      assertEquals("first", Files.readString(file));
      try (Stream<Path> all = Files.list(files.getPath("/"))) {
        assertEquals(List.of("/a.bloom"), all.map(Path::toString).toList());
      }
    }
  }

  private void assumePosix() throws IOException {
    Assumptions.assumeTrue(
        Files.getFileStore(directory).supportsFileAttributeView(PosixFileAttributeView.class));
  }
}
