package io.bloomkit.hash;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Hashes one field of an element by another strategy. */
record FieldHashStrategy<T, F>(
    String id,
    String name,
    Function<? super T, ? extends F> value,
    HashStrategy<F> strategy,
    long fingerprint)
    implements HashStrategy<T> {

  /** Returns a strategy whose fingerprint includes the hashes of probes. */
  static <T, F> HashStrategy<T> of(
      String name,
      Function<? super T, ? extends F> value,
      HashStrategy<F> strategy,
      List<? extends T> probes) {
    requireName(name);
    Objects.requireNonNull(value, "value");
    String id = "on(" + name + "=" + strategy.id() + ")";
    StrategyIdentity.checkId(id);
    HashStrategy<T> unprobed = new FieldHashStrategy<>(id, name, value, strategy, 0);
    long[] hashes = new long[probes.size() + 1];
    hashes[0] = strategy.fingerprint();
    for (int i = 0; i < probes.size(); i++) {
      T probe = Objects.requireNonNull(probes.get(i), "probe");
      hashes[i + 1] = Probes.hash(id, i, () -> unprobed.hash(probe));
    }
    return new FieldHashStrategy<>(id, name, value, strategy, Hashes.fingerprint(id, hashes));
  }

  /** Checks the name of a field, which becomes a part of the id. */
  static void requireName(String name) {
    Objects.requireNonNull(name, "name");
    if (!name.matches("[A-Za-z0-9_.-]+")) {
      throw new IllegalArgumentException(
          "name must be letters, digits, '_', '-' and '.', got \"" + name + "\"");
    }
  }

  @Override
  public long hash(T element) {
    Objects.requireNonNull(element, "element");
    return strategy.hash(Objects.requireNonNull(value.apply(element), name));
  }

  @Override
  public String toString() {
    return id;
  }
}
