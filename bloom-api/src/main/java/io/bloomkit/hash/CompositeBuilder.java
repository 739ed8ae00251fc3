package io.bloomkit.hash;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Builds a strategy for elements with several fields; see {@link HashStrategies#composite()}.
 *
 * <p>Each field is hashed by a strategy of its own and the hashes are chained in the order of the
 * fields, so that ("a", "bc") and ("ab", "c") differ. Against hostile input, every field needs a
 * keyed strategy.
 *
 * @param <T> the type of the elements
 */
public final class CompositeBuilder<T> {

  private final List<Field<T>> fields = new ArrayList<>();

  CompositeBuilder() {}

  /**
   * Adds a field.
   *
   * @param name part of the strategy's id: letters, digits, {@code _}, {@code -} and {@code .}
   * @param value takes the field from an element; never null for an element that is hashed
   * @param strategy hashes the field
   * @return this builder
   * @throws IllegalArgumentException if the name has other characters, or was used before
   * @throws NullPointerException if an argument is null
   */
  public <F> CompositeBuilder<T> field(
      String name, Function<? super T, ? extends F> value, HashStrategy<? super F> strategy) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(strategy, "strategy");
    return add(
        name,
        strategy,
        element -> strategy.hash(Objects.requireNonNull(value.apply(element), name)));
  }

  /**
   * Adds a field that is a whole number, hashed by {@link HashStrategies#longs()} without boxing.
   *
   * @param name see {@link #field}
   * @param value takes the field from an element
   * @return this builder
   * @throws IllegalArgumentException if the name has other characters, or was used before
   * @throws NullPointerException if an argument is null
   */
  public CompositeBuilder<T> longField(String name, ToLongFunction<? super T> value) {
    return longField(name, value, HashStrategies.longs());
  }

  /**
   * Adds a field that is a whole number, hashed without boxing.
   *
   * @param name see {@link #field}
   * @param value takes the field from an element
   * @param strategy hashes the field
   * @return this builder
   * @throws IllegalArgumentException if the name has other characters, or was used before
   * @throws NullPointerException if an argument is null
   */
  public CompositeBuilder<T> longField(
      String name, ToLongFunction<? super T> value, LongHashStrategy strategy) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(strategy, "strategy");
    return add(name, strategy, element -> strategy.hashLong(value.applyAsLong(element)));
  }

  private CompositeBuilder<T> add(String name, HashStrategy<?> strategy, ToLongFunction<T> hash) {
    FieldHashStrategy.requireName(name);
    if (fields.stream().anyMatch(field -> field.name.equals(name))) {
      throw new IllegalArgumentException("name is used by two fields: \"" + name + "\"");
    }
    fields.add(new Field<>(name, strategy, hash));
    return this;
  }

  /**
   * Returns the strategy. Later calls of this builder do not change it.
   *
   * @throws IllegalStateException if there is no field
   * @throws IllegalArgumentException if the id, which names every field, is too long
   */
  public HashStrategy<T> build() {
    if (fields.isEmpty()) {
      throw new IllegalStateException("a composite needs at least one field: call field()");
    }
    HashStrategy<T> composite = new Composite<>(List.copyOf(fields));
    StrategyIdentity.checkId(composite.id());
    return composite;
  }

  private record Field<T>(String name, HashStrategy<?> strategy, ToLongFunction<T> hash) {}

  private static final class Composite<T> implements HashStrategy<T> {

    private final Field<T>[] fields;

    @SuppressWarnings("unchecked") // an array only so that iterating needs no iterator
    Composite(List<Field<T>> fields) {
      this.fields = (Field<T>[]) fields.toArray(new Field<?>[0]);
    }

    @Override
    public long hash(T element) {
      Objects.requireNonNull(element, "element");
      long hash = fields.length;
      for (Field<T> field : fields) {
        hash = Hashes.chain(hash, field.hash.applyAsLong(element));
      }
      return hash;
    }

    @Override
    public String id() {
      return List.of(fields).stream()
          .map(field -> field.name + "=" + field.strategy.id())
          .collect(Collectors.joining(",", "composite(", ")"));
    }

    @Override
    public long fingerprint() {
      return Hashes.fingerprint(
          id(), List.of(fields).stream().mapToLong(f -> f.strategy.fingerprint()).toArray());
    }

    @Override
    public String toString() {
      return id();
    }
  }
}
