package io.bloomkit.hash;

import java.util.Objects;

/**
 * The identity of a hash strategy: its {@link HashStrategy#id()} and its {@link
 * HashStrategy#fingerprint()}. Filters are compatible only if the identities of their strategies
 * are equal.
 *
 * @param id the id, 1 to {@value #MAX_ID_LENGTH} printable ASCII characters
 * @param fingerprint any number; distinguishes functions with the same id
 */
public record StrategyIdentity(String id, long fingerprint) {

  /** The largest number of characters in an id. */
  public static final int MAX_ID_LENGTH = 1000;

  /**
   * Creates an identity.
   *
   * @throws NullPointerException if the id is null
   * @throws IllegalArgumentException if the id is empty, too long, or has characters other than
   *     printable ASCII
   */
  public StrategyIdentity {
    checkId(id);
  }

  /**
   * Returns the identity of a strategy.
   *
   * @throws NullPointerException if the strategy or its id is null
   * @throws IllegalArgumentException if its id is invalid
   */
  public static StrategyIdentity of(HashStrategy<?> strategy) {
    Objects.requireNonNull(strategy, "strategy");
    String id =
        Objects.requireNonNull(
            strategy.id(), () -> "the id of the hash strategy " + strategy.getClass().getName());
    return new StrategyIdentity(id, strategy.fingerprint()); // which the id may determine
  }

  /**
   * Returns the identity of a {@link HashStrategy} with a given id and the default {@link
   * HashStrategy#fingerprint()}. For a function that the id alone determines, such as a published
   * function without a seed or secret.
   *
   * @throws NullPointerException if the id is null
   * @throws IllegalArgumentException if the id is invalid
   */
  public static StrategyIdentity ofId(String id) {
    checkId(id);
    return new StrategyIdentity(id, Hashes.fingerprint(id));
  }

  static void checkId(String id) {
    Objects.requireNonNull(id, "id");
    if (id.isEmpty() || id.length() > MAX_ID_LENGTH || !isPrintable(id)) {
      throw new IllegalArgumentException(
          "the id of a hash strategy must be 1 to "
              + MAX_ID_LENGTH
              + " printable ASCII characters, got \""
              + id
              + "\"");
    }
  }

  private static boolean isPrintable(String id) {
    return id.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  /** Returns the id, a {@code #}, and the fingerprint in hexadecimal. */
  @Override
  public String toString() {
    return id + "#" + Long.toHexString(fingerprint);
  }
}
