package io.bloomkit.cli.experiment.ids;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKinds;
import java.util.List;

/** The kinds of filters that the experiment compares. */
final class ComparedKinds {

  private ComparedKinds() {}

  /**
   * Returns the installed kinds whose filters forget nothing, in the order of the tables.
   *
   * <p>Growing kinds that also remove are left out. The experiment compares a filter after removals
   * with one that is rebuilt from the remaining elements. For such kinds, the two filters have
   * different layers and therefore different false positives, although both are correct.
   */
  static List<FilterKind> installed() {
    return FilterKinds.installed().stream()
        .filter(FilterKind::isInsertable)
        .filter(kind -> !(kind.is(FilterKind.Trait.GROWING) && kind.isDeletable()))
        .toList();
  }
}
