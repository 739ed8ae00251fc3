package io.bloomkit.durable;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The names of the files in a folder. Snapshot n contains the updates of all segments before
 * segment n of the log, and has the checksum of the last frame of them in its name.
 */
final class FolderNames {

  static final String LOCK = "lock";
  static final String IDENTITY = "identity";

  /** What follows the name of a file that is not complete yet. */
  static final String TEMPORARY = ".tmp";

  /** The name of the identity while the folder is being created. */
  static final String NEW_IDENTITY = "identity.new";

  /** Left by a force that failed: later ones may not write what that one did not. */
  static final String UNFORCED = "unforced";

  private static final String LOG = "log-";
  private static final String SNAPSHOT = "snapshot-";
  private static final String SNAPSHOT_END = ".bloom";
  private static final int DIGITS = 10;
  private static final String NUMBER = "[0-9]{" + DIGITS + "}";

  static final long MAX_NUMBER = 9_999_999_999L;

  private FolderNames() {}

  static String log(long number) {
    return LOG + digits(number);
  }

  static String snapshot(long number, int checksum) {
    return SNAPSHOT + digits(number) + String.format(Locale.ROOT, "-%08x", checksum) + SNAPSHOT_END;
  }

  /** Returns the number in the name of a snapshot. */
  static long number(String snapshot) {
    return Long.parseLong(snapshot, SNAPSHOT.length(), SNAPSHOT.length() + DIGITS, 10);
  }

  /** Returns the checksum in the name of a snapshot. */
  static int checksum(String snapshot) {
    int start = SNAPSHOT.length() + DIGITS + 1;
    return Integer.parseUnsignedInt(snapshot, start, start + 2 * Integer.BYTES, 16);
  }

  private static String digits(long number) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", number);
  }

  static SortedSet<Long> logs(Collection<String> names) {
    SortedSet<Long> numbers = new TreeSet<>();
    for (String name : matching(names, LOG + NUMBER)) {
      numbers.add(Long.parseLong(name.substring(LOG.length())));
    }
    return numbers;
  }

  /** Returns the names of the snapshots, the newest one last. */
  static SortedSet<String> snapshots(Collection<String> names) {
    return matching(names, SNAPSHOT + NUMBER + "-[0-9a-f]{8}\\" + SNAPSHOT_END);
  }

  /** Returns whether this is a file of ours that was not completed. */
  static boolean isTemporary(String name) {
    if (!name.endsWith(TEMPORARY)) {
      return false;
    }
    String complete = name.substring(0, name.length() - TEMPORARY.length());
    List<String> one = List.of(complete);
    return complete.equals(IDENTITY)
        || complete.equals(NEW_IDENTITY)
        || !logs(one).isEmpty()
        || !snapshots(one).isEmpty();
  }

  private static SortedSet<String> matching(Collection<String> names, String pattern) {
    SortedSet<String> matching = new TreeSet<>(names);
    matching.removeIf(name -> !name.matches(pattern));
    return matching;
  }
}
