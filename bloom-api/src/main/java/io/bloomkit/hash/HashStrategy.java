package io.bloomkit.hash;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.StreamSupport;

/**
 * Hashes an element to 64 well-mixed bits. These bits determine everything that a filter stores or
 * reads for the element, so an operation computes one hash.
 *
 * <p>{@link HashStrategies} has ready-made strategies. A strategy of your own must follow four
 * rules:
 *
 * <ul>
 *   <li>Equal elements have equal hashes, in every process and on every machine that shares a
 *       filter. So the strategy uses neither {@code hashCode()} nor the default charset.
 *   <li>Each bit of the hash behaves like an independent fair coin flip, also for similar elements.
 *       A weak hash raises the false-positive rate, because filters do not mix it again.
 *   <li>{@link #id()} changes whenever the function does.
 *   <li>The strategy is thread-safe.
 * </ul>
 *
 * @param <T> the type of the elements
 */
public interface HashStrategy<T> {

  /**
   * Returns the hash of an element.
   *
   * @throws NullPointerException if the element is null
   */
  long hash(T element);

  /**
   * Returns the hashes of many elements, in iteration order.
   *
   * @param elements iterated once
   * @throws NullPointerException if the argument or an element is null
   */
  default long[] hashAll(Iterable<? extends T> elements) {
    Objects.requireNonNull(elements, "elements");
    return StreamSupport.stream(elements.spliterator(), false)
        .mapToLong(element -> hash(Objects.requireNonNull(element, "element")))
        .toArray();
  }

  /**
   * Returns the id of this strategy, a name of its hash function. The id includes the seed and the
   * version if there are any. The id must not include a secret, because it is written to files.
   * Filters whose strategies have different ids are incompatible.
   *
   * @return 1 to {@value StrategyIdentity#MAX_ID_LENGTH} printable ASCII characters, the same at
   *     each call
   */
  String id();

  /**
   * Returns a number that distinguishes functions with the same {@link #id()}, such as one function
   * with different secret keys, or two versions of a function whose id was mistakenly not changed.
   * Filters whose strategies have different fingerprints are incompatible.
   *
   * <p>By default, the fingerprint depends on the id alone. The fingerprint of a ready-made
   * strategy also depends on hashes of fixed elements. The fingerprint of a strategy that {@link
   * #of of(…)} or {@link #on on(…)} created also depends on the hashes of its probes: elements that
   * the caller passes for this purpose. For {@link #on}, the fingerprint also depends on the
   * fingerprint of the strategy that hashes the field.
   */
  default long fingerprint() {
    return Hashes.fingerprint(id());
  }

  /**
   * Returns a strategy that hashes one field of an element by this strategy:
   *
   * <pre>{@code
   * HashStrategy<User> byEmail = HashStrategies.utf8().on("email", User::email, new User("a@b.c"));
   * }</pre>
   *
   * <p>The hash of an element is the hash of its field, so {@code
   * users.mightContainHash(HashStrategies.utf8().hash(email))} queries a filter {@code users} by
   * the field alone. The id includes the name of the field, so filters of different fields are
   * incompatible. In the example, the id is {@code on(email=utf8(xxh3))}. To hash several fields,
   * or to hash a {@code long} field without boxing, use {@link HashStrategies#composite}.
   *
   * <p>Hashing an element whose field is null throws {@code NullPointerException}.
   *
   * @param name the name of the field, one or more ASCII letters, digits, {@code _}, {@code -} and
   *     {@code .}
   * @param value returns the field of an element; must be thread-safe and must not return null
   * @param probes elements to hash now, twice; the {@link #fingerprint()} includes their hashes. If
   *     a later version of your program changes {@code value} but not the name, these hashes
   *     change, and so does the fingerprint. Filters of the two versions are then incompatible.
   * @throws NullPointerException if an argument, a probe or the field of a probe is null
   * @throws IllegalArgumentException if the name is not as described, if the id becomes longer than
   *     {@value StrategyIdentity#MAX_ID_LENGTH} characters, or if a probe has two different hashes
   */
  @SuppressWarnings({"unchecked", "varargs"}) // the array is only read
  default <U> HashStrategy<U> on(String name, Function<? super U, ? extends T> value, U... probes) {
    return FieldHashStrategy.of(
        name, value, this, Arrays.asList(Objects.requireNonNull(probes, "probes")));
  }

  /** Equivalent to {@link #on(String, Function, Object[])} without probes. */
  default <U> HashStrategy<U> on(String name, Function<? super U, ? extends T> value) {
    return FieldHashStrategy.of(name, value, this, List.of());
  }

  /**
   * Returns a strategy from a function:
   *
   * <pre>{@code
   * HashStrategy<OrderId> orders =
   *     HashStrategy.of("order-id/1", (OrderId o) -> mix(o.number()), new OrderId(1), new OrderId(77));
   * }</pre>
   *
   * @param id see {@link #id()}
   * @param function returns the hash of an element; the element is never null
   * @param probes elements to hash now, twice; the {@link #fingerprint()} includes their hashes. If
   *     a later version of your program changes the function but not the id, these hashes change,
   *     and so does the fingerprint. Filters of the two versions are then incompatible.
   * @throws NullPointerException if an argument or a probe is null
   * @throws IllegalArgumentException if the id is not as {@link #id()} describes, or the function
   *     returns two different hashes for a probe
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  static <T> HashStrategy<T> of(String id, ToLongFunction<? super T> function, T... probes) {
    StrategyIdentity.checkId(id);
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(probes, "probes");
    long[] hashes = new long[probes.length];
    for (int i = 0; i < probes.length; i++) {
      T probe = Objects.requireNonNull(probes[i], "probe");
      hashes[i] = Probes.hash(id, i, () -> function.applyAsLong(probe));
    }
    return new FunctionHashStrategy<>(id, function, Hashes.fingerprint(id, hashes));
  }
}
