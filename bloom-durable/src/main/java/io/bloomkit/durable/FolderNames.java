package io.bloomkit.durable;

import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The names of the files in a folder. Snapshot n contains the updates of all segments before
 * segment n of the log.
 */
final class FolderNames {

  static final String LOCK = "lock";
  static final String IDENTITY = "identity";

  /** What follows the name of a file that is not complete yet. */
  static final String TEMPORARY = ".tmp";

  private static final String LOG = "log-";
  private static final String SNAPSHOT = "snapshot-";
  private static final String SNAPSHOT_END = ".bloom";
  private static final int DIGITS = 10;

  static final long MAX_NUMBER = 9_999_999_999L;

  private FolderNames() {}

  static String log(long number) {
    return LOG + digits(number);
  }

  static String snapshot(long number) {
    return SNAPSHOT + digits(number) + SNAPSHOT_END;
  }

  private static String digits(long number) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", number);
  }

  static SortedSet<Long> logs(Iterable<String> names) {
    return numbers(names, LOG, "");
  }

  static SortedSet<Long> snapshots(Iterable<String> names) {
    return numbers(names, SNAPSHOT, SNAPSHOT_END);
  }

  /** Returns whether this is a file of ours that was not completed. */
  static boolean isTemporary(String name) {
    if (!name.endsWith(TEMPORARY)) {
      return false;
    }
    String complete = name.substring(0, name.length() - TEMPORARY.length());
    List<String> one = List.of(complete);
    return complete.equals(IDENTITY) || !logs(one).isEmpty() || !snapshots(one).isEmpty();
  }

  private static SortedSet<Long> numbers(Iterable<String> names, String start, String end) {
    SortedSet<Long> numbers = new TreeSet<>();
    for (String name : names) {
      if (name.matches(start + "[0-9]{" + DIGITS + "}" + end.replace(".", "\\."))) {
        numbers.add(Long.parseLong(name, start.length(), start.length() + DIGITS, 10));
      }
    }
    return numbers;
  }
}
