package io.bloomkit.hash;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.StreamSupport;

/**
 * Hashes an element to 64 well-mixed bits. A filter derives all positions from them, so an
 * operation computes one hash.
 *
 * <p>{@link HashStrategies} has ready-made ones. A strategy of your own must follow four rules:
 *
 * <ul>
 *   <li>equal elements have equal hashes, in every process and on every machine that shares a
 *       filter: no {@code hashCode()}, no default charset;
 *   <li>every bit of the result behaves like a fair coin flip, also for similar elements: a weak
 *       hash is not repaired and causes a higher false-positive rate;
 *   <li>{@link #id()} changes whenever the function does;
 *   <li>it is thread-safe.
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
   * @param elements iterated once; the call takes some sixteen bytes per element
   * @throws NullPointerException if an element is null
   */
  default long[] hashAll(Iterable<? extends T> elements) {
    Objects.requireNonNull(elements, "elements");
    return StreamSupport.stream(elements.spliterator(), false)
        .mapToLong(element -> hash(Objects.requireNonNull(element, "element")))
        .toArray();
  }

  /**
   * Returns the name of this function, stable between releases, with its seed or version in it;
   * never with a secret. Filters with different ids are not compatible.
   *
   * @return 1 to {@value StrategyIdentity#MAX_ID_LENGTH} printable ASCII characters
   */
  String id();

  /**
   * Returns a number that distinguishes functions with the same {@link #id()}, such as a changed
   * implementation or another secret key. Filters with different fingerprints are not compatible.
   *
   * <p>By default it is computed from the id alone. Ready-made strategies and those of {@link #of}
   * also include the hashes of some fixed elements.
   */
  default long fingerprint() {
    return Hashes.fingerprint(id());
  }

  /**
   * Returns a strategy over elements that hashes one of their fields by this strategy:
   *
   * <pre>{@code
   * HashStrategy<User> byEmail = HashStrategies.utf8().on("email", User::email, new User("a@b.c"));
   * }</pre>
   *
   * <p>The hash of an element is that of its field, so {@code mightContainHash(utf8().hash(email))}
   * queries a filter of users by the field alone. The id holds the name, {@code
   * on(email=utf8(xxh3))}: filters by two fields are not compatible. For several fields, or a
   * {@code long} without boxing, see {@link HashStrategies#composite}.
   *
   * @param name part of the id: letters, digits, {@code _}, {@code -} and {@code .}
   * @param value takes the field from an element; never null for an element that is hashed
   * @param probes elements whose hashes, computed now, become part of the {@link #fingerprint()}:
   *     filters are then incompatible if the function takes another field under the old name
   * @throws NullPointerException if an argument, a probe or its field is null
   * @throws IllegalArgumentException if the name has other characters, or the id becomes too long
   */
  @SuppressWarnings({"unchecked", "varargs"}) // the array is read, never kept or handed on
  default <U> HashStrategy<U> on(String name, Function<? super U, ? extends T> value, U... probes) {
    return FieldHashStrategy.of(
        name, value, this, Arrays.asList(Objects.requireNonNull(probes, "probes")));
  }

  /** Returns {@link #on(String, Function, Object[])} without probes. */
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
   * @param function see {@link #hash}
   * @param probes elements whose hashes, computed now, become part of the {@link #fingerprint()}:
   *     filters are then incompatible if the function changed without a new id
   * @throws NullPointerException if an argument or a probe is null
   * @throws IllegalArgumentException if the id is not as {@link #id()} describes
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // read, never kept or handed on
  static <T> HashStrategy<T> of(String id, ToLongFunction<? super T> function, T... probes) {
    StrategyIdentity.checkId(id);
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(probes, "probes");
    long[] hashes = new long[probes.length];
    for (int i = 0; i < probes.length; i++) {
      hashes[i] = function.applyAsLong(Objects.requireNonNull(probes[i], "probe"));
    }
    return new FunctionHashStrategy<>(id, function, Hashes.fingerprint(id, hashes));
  }
}
