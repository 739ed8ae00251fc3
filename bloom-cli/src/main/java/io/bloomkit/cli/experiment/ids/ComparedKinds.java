package io.bloomkit.cli.experiment.ids;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKinds;
import java.util.List;

/** The kinds of filters that the experiment compares. */
final class ComparedKinds {

  private ComparedKinds() {}

  /**
   * Returns the installed kinds that keep what is inserted, in the order of tables.
   *
   * <p>Growing kinds that also remove are left out. The experiment compares a filter after removals
   * with one that is rebuilt from the elements that are left. Of such a kind, the two have other
   * layers and so other false positives, though both are right.
   */
  static List<FilterKind> installed() {
    return FilterKinds.installed().stream()
        .filter(FilterKind::isInsertable)
        .filter(kind -> !(kind.is(FilterKind.Trait.GROWING) && kind.isDeletable()))
        .toList();
  }
}
