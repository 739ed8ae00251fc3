package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterFile;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableContentsTest {

  @TempDir Path temporary;

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file + " " + file.toFile().lastModified()).sorted().toList();
    }
  }

  @Test
  void toolsReadFoldersOfEachKindAndChangeNothing() throws IOException {
    for (Kind kind : Kind.values()) {
      Path folder = temporary.resolve(kind.name());
      assertFalse(DurableContents.isIn(folder));
      Kind.Clock clock = new Kind.Clock();
      StorableFilter<Long> expected;
      try (DurableFilter<Long> filter =
          DurableFilter.open(folder, kind.builder(100, clock), SyncPolicy.ON_SYNC)) {
        filter.add(1L);
        filter.add(2L);
        expected = filter.filter();
        assertThrows(
            FileSystemException.class,
            () -> DurableContents.readFrom(folder, HashStrategies.longs()));
      }
      assertTrue(DurableContents.isIn(folder));
      FilterFile header = DurableContents.inspect(folder);
      assertEquals(expected.getClass().getSimpleName(), header.className());
      List<String> before = files(folder);
      DurableContents<Object> contents = DurableContents.readFrom(folder, header.opaqueStrategy());
      assertEquals(2, contents.recovery().updates());
      assertTrue(contents.logBytes() > 16);
      if (kind != Kind.EXPIRING) { // which has no second clock here
        assertEquals(expected, contents.filter());
      }
      assertEquals(before, files(folder));
    }
  }

  @Test
  void aFolderIsCreatedFromAFilter() throws IOException {
    ClassicBloomFilter.Builder<CharSequence> builder =
        ClassicBloomFilter.builder(HashStrategies.utf8()).expecting(100, 0.01);
    ClassicBloomFilter<String> old = builder.build();
    old.add("a");
    Path folder = temporary.resolve("new");
    DurableFilter.create(folder, old);
    try (DurableFilter<String> filter = DurableFilter.open(folder, builder)) {
      assertEquals(old, filter.filter());
      filter.add("b");
    }
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> DurableFilter.create(folder, old));
    assertTrue(String.valueOf(e.getMessage()).contains("has a filter already"), e.getMessage());
    try (DurableFilter<String> filter = DurableFilter.open(folder, builder)) {
      assertTrue(filter.mightContain("a") && filter.mightContain("b"));
    }
  }
}
