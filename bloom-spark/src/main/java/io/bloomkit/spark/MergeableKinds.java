package io.bloomkit.spark;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKinds;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.StorableFilter;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The kinds of filters that many machines can build together: those that take elements and merge.
 */
final class MergeableKinds {

  /** Looked up once per process: each look-up allocates some 100 KB, and rows need their kind. */
  private static final List<FilterKind> ALL = lookUp();

  private MergeableKinds() {}

  /**
   * Finds the kinds that the class loader of this class sees. The context class loader depends on
   * which thread of an executor comes first, and what it sees would hold for the whole process.
   */
  private static List<FilterKind> lookUp() {
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    thread.setContextClassLoader(MergeableKinds.class.getClassLoader());
    try {
      return FilterKinds.installed().stream()
          .filter(kind -> kind.isInsertable() && kind.isMergeable())
          .toList();
    } finally {
      thread.setContextClassLoader(context);
    }
  }

  /** Returns all kinds, in the order of their codes. */
  static List<FilterKind> all() {
    return ALL;
  }

  /** Returns all names in SQL, as error messages show them. */
  static String labels() {
    return ALL.stream().map(kind -> "'" + kind.label() + "'").collect(Collectors.joining(", "));
  }

  /**
   * Returns the kind of a name in SQL.
   *
   * @throws IllegalArgumentException if there is none
   */
  static FilterKind labelled(String label) {
    return find(kind -> kind.label().equals(label))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the kind must be one of " + labels() + ", got '" + label + "'"));
  }

  /** Returns the kind that is written as a variant. */
  static Optional<FilterKind> of(FilterVariant variant) {
    return find(kind -> kind.variant().code() == variant.code());
  }

  /** Returns the kind of a filter that was created or read by one of these kinds. */
  static FilterKind of(StorableFilter<?> filter) {
    return find(kind -> kind.filterClass().isInstance(filter)).orElseThrow();
  }

  private static Optional<FilterKind> find(Predicate<FilterKind> wanted) {
    return ALL.stream().filter(wanted).findFirst();
  }
}
