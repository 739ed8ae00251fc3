package io.bloomkit.spark;

import io.bloomkit.format.FilterFile;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The kinds of filters that a cluster can build in parallel: those that are insertable and
 * mergeable.
 */
final class MergeableKinds {

  /**
   * Looked up once per process, since a look-up allocates some 100 KB and every row needs its kind.
   */
  private static final List<FilterKind> ALL = lookUp();

  private MergeableKinds() {}

  /**
   * Finds the kinds by the class loader of this class. The context class loader would be that of
   * the executor thread that happens to call first, and its result would hold for the whole
   * process.
   */
  private static List<FilterKind> lookUp() {
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    thread.setContextClassLoader(MergeableKinds.class.getClassLoader());
    try {
      return FilterKind.installed().stream()
          .filter(kind -> !kind.is(FilterKind.Trait.EXPIRING) && kind.isMergeable())
          .toList();
    } finally {
      thread.setContextClassLoader(context);
    }
  }

  /** Returns all kinds, in the order of their codes. */
  static List<FilterKind> all() {
    return ALL;
  }

  /** Returns the SQL names of all kinds, for error messages. */
  static String labels() {
    return ALL.stream().map(kind -> "'" + kind.label() + "'").collect(Collectors.joining(", "));
  }

  /**
   * Returns the kind with an SQL name.
   *
   * @throws IllegalArgumentException if no kind has that name
   */
  static FilterKind labelled(String label) {
    return find(kind -> kind.label().equals(label))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the kind must be one of " + labels() + ", got '" + label + "'"));
  }

  /**
   * Returns the kind of a file, or an empty {@code Optional} if it is a delta, or of a kind that is
   * not mergeable or not known.
   */
  static Optional<FilterKind> of(FilterFile file) {
    return file.isDelta() ? Optional.empty() : find(kind -> kind.code() == file.code());
  }

  /**
   * Returns the kind of a filter. The filter must have been created or read by one of these kinds.
   */
  static FilterKind of(StorableFilter<?> filter) {
    return find(kind -> kind.filterClass().isInstance(filter)).orElseThrow();
  }

  private static Optional<FilterKind> find(Predicate<FilterKind> wanted) {
    return ALL.stream().filter(wanted).findFirst();
  }
}
