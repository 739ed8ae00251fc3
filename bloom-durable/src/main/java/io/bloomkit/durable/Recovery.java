package io.bloomkit.durable;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What was found when a folder was opened.
 *
 * @param updates the number of additions and removals in the log, which were repeated on the
 *     snapshot, also those before a {@code clear}
 * @param bytesCut the number of bytes after the last complete frame of the log, which a crash left
 *     behind; 0 after {@link DurableFilter#close}. They held no update that was durable, unless
 *     they were damaged after the last force.
 * @param cutFile the segment of the log from which they were cut; empty if there were none
 */
public record Recovery(long updates, long bytesCut, Optional<Path> cutFile) {

  /** A folder that did not exist, or whose log is empty. */
  static final Recovery NONE = new Recovery(0, 0, Optional.empty());
}
