package io.bloomkit.internal.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class FileErrorsTest {

  private static final Path FILE = Path.of("seen.bloom");

  @Test
  void anErrorNamesTheFileOnce() {
    IOException full = new IOException("No space left on device");
    IOException named = FileErrors.naming(FILE, full);
    assertEquals("seen.bloom: No space left on device", named.getMessage());
    assertSame(full, named.getCause());
    assertSame(named, FileErrors.naming(FILE, named));
    IOException missing = new NoSuchFileException("seen.bloom");
    assertSame(missing, FileErrors.naming(FILE, missing));
    assertEquals(
        "seen.bloom: .tmp: denied",
        FileErrors.naming(FILE, new FileSystemException(".tmp", null, "denied")).getMessage());
    assertEquals(
        "seen.bloom, at byte 3: fault",
        FileErrors.naming(FILE, new FilterFormatException(3, "fault")).getMessage());
  }

  @Test
  void aDirectoryIsNamed(@TempDir Path directory) {
    for (Executable read :
        List.<Executable>of(
            () -> FilterReader.readFrom(directory, FilterContents::read),
            () -> MappedFile.open(directory, file -> file))) {
      FileSystemException refusal = assertThrows(FileSystemException.class, read);
      assertEquals(directory.toString(), refusal.getFile());
      // Windows opens no directory, and gives no reason.
      assertTrue(
          refusal.getReason() != null || refusal instanceof AccessDeniedException,
          refusal::toString);
    }
  }
}
