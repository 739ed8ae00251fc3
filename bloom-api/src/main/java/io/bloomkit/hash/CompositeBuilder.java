package io.bloomkit.hash;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Builds a strategy for elements with several fields. See {@link HashStrategies#composite()} for an
 * example.
 *
 * <p>Each field is hashed by its own strategy, and the hashes are combined in the order in which
 * the fields were added. So the fields ("a", "bc") and ("ab", "c") have different hashes. If an
 * adversary chooses elements, every field needs a strategy with a secret key, such as one that uses
 * {@link HashStrategies#sipHash24}.
 *
 * <p>The id of the composite strategy, for example {@code
 * composite(user=utf8(xxh3),second=longs(rrmxmx))}, includes the name and the strategy id of each
 * field. The fingerprint includes the fingerprints of the field strategies. Neither depends on the
 * functions that return the fields, unless {@link #build} is given probes: two composites whose
 * functions were swapped by mistake then have different fingerprints, and their filters do not
 * merge. Without probes, if you change a function, also change the name of the field.
 *
 * <p>A builder is not thread-safe. The strategy is thread-safe if all functions and strategies of
 * its fields are.
 *
 * @param <T> the type of the elements
 */
public final class CompositeBuilder<T> {

  private final List<Field<T>> fields = new ArrayList<>();

  CompositeBuilder() {}

  /**
   * Adds a field. Hashing an element whose field is null throws {@code NullPointerException}.
   *
   * @param name the name of the field, one or more ASCII letters, digits, {@code _}, {@code -} and
   *     {@code .}
   * @param value returns the field of an element, never null
   * @param strategy hashes the field
   * @return this builder
   * @throws IllegalArgumentException if the name is not as described, or was used before
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
   * Equivalent to {@link #longField(String, ToLongFunction, LongHashStrategy)} with {@link
   * HashStrategies#longs()}.
   *
   * @param name see {@link #field}
   * @param value returns the field of an element
   * @return this builder
   * @throws IllegalArgumentException if the name is invalid, or was used before
   * @throws NullPointerException if an argument is null
   */
  public CompositeBuilder<T> longField(String name, ToLongFunction<? super T> value) {
    return longField(name, value, HashStrategies.longs());
  }

  /**
   * Adds a {@code long} field, which is hashed without boxing.
   *
   * @param name see {@link #field}
   * @param value returns the field of an element
   * @param strategy hashes the field
   * @return this builder
   * @throws IllegalArgumentException if the name is invalid, or was used before
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

  /** Equivalent to {@link #build(Object[])} without probes. */
  public HashStrategy<T> build() {
    return buildWith(List.of());
  }

  /**
   * Returns a strategy over the fields added so far. Later fields do not change this strategy.
   *
   * @param probes elements to hash now, twice, with different values in all fields; the fingerprint
   *     includes their hashes. If another composite of the same names takes the fields by other
   *     functions, these hashes differ, and so does the fingerprint. Filters of the two are then
   *     incompatible.
   * @throws IllegalStateException if there is no field
   * @throws IllegalArgumentException if the id is longer than {@value
   *     StrategyIdentity#MAX_ID_LENGTH} characters, or if a probe has two different hashes
   * @throws NullPointerException if a probe or one of its fields is null
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final HashStrategy<T> build(T... probes) {
    return buildWith(Arrays.asList(Objects.requireNonNull(probes, "probes")));
  }

  private HashStrategy<T> buildWith(List<T> probes) {
    if (fields.isEmpty()) {
      throw new IllegalStateException("a composite needs at least one field: call field()");
    }
    Composite<T> unprobed = Composite.of(fields);
    StrategyIdentity.checkId(unprobed.id());
    return probes.isEmpty() ? unprobed : unprobed.withProbes(probes);
  }

  private record Field<T>(String name, HashStrategy<?> strategy, ToLongFunction<T> hash) {}

  private static final class Composite<T> implements HashStrategy<T> {

    private final Field<T>[] fields;
    private final String id;
    private final long fingerprint;

    private Composite(Field<T>[] fields, String id, long fingerprint) {
      this.fields = fields;
      this.id = id;
      this.fingerprint = fingerprint;
    }

    @SuppressWarnings("unchecked") // an array, so that iteration allocates no iterator
    static <T> Composite<T> of(List<Field<T>> fields) {
      String id =
          fields.stream()
              .map(field -> field.name + "=" + field.strategy.id())
              .collect(Collectors.joining(",", "composite(", ")"));
      long[] fingerprints = fields.stream().mapToLong(f -> f.strategy.fingerprint()).toArray();
      return new Composite<>(
          (Field<T>[]) fields.toArray(new Field<?>[0]), id, Hashes.fingerprint(id, fingerprints));
    }

    /** Returns this strategy with a fingerprint that includes the hashes of probes. */
    Composite<T> withProbes(List<T> probes) {
      long[] hashes = new long[probes.size() + 1];
      hashes[0] = fingerprint;
      for (int i = 0; i < probes.size(); i++) {
        T probe = Objects.requireNonNull(probes.get(i), "probe");
        hashes[i + 1] = Probes.hash(id, i, () -> hash(probe));
      }
      return new Composite<>(fields, id, Hashes.fingerprint(id, hashes));
    }

    @Override
    public long hash(T element) {
      Objects.requireNonNull(element, "element");
      long hash = fields.length;
      for (Field<T> field : fields) {
        hash = Hashes.combine(hash, field.hash.applyAsLong(element));
      }
      return hash;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public long fingerprint() {
      return fingerprint;
    }

    @Override
    public String toString() {
      return id;
    }
  }
}
