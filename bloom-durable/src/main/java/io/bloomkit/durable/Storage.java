package io.bloomkit.durable;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.SortedSet;

/**
 * The files of one folder, as the log uses them. Tests replace it by a storage that loses what was
 * not forced.
 */
interface Storage {

  /** A file that is being written, from its end on. */
  interface Output extends Closeable {

    void write(byte[] bytes, int offset, int length) throws IOException;

    /** As {@link Storage#force}, of everything that was written. */
    void force() throws IOException;
  }

  /** Returns the names of all files. */
  SortedSet<String> list() throws IOException;

  /** Returns the number of bytes of a file. */
  long size(String name) throws IOException;

  /** Returns for how many more bytes the disk has room, about. */
  long room() throws IOException;

  InputStream read(String name) throws IOException;

  /** Creates a file, or empties an existing one. */
  Output create(String name) throws IOException;

  /** Opens an existing file, to write from an offset on. */
  Output append(String name, long offset) throws IOException;

  /** Renames a file, and replaces another one. */
  void rename(String from, String to) throws IOException;

  void delete(String name) throws IOException;

  /** Deletes a file that does no harm if it stays. Returns whether it is gone. */
  default boolean deleteIfPossible(String name) {
    try {
      delete(name);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Forces a file to the disk, also if another process has written it. If that fails, leaves the
   * file {@link FolderNames#UNFORCED}.
   */
  void force(String name) throws IOException;

  /** Forces creations, renamings and deletions to the disk, as {@link #force}. */
  void forceNames() throws IOException;

  /** Returns the path of a file, for messages. */
  Path path(String name);
}
