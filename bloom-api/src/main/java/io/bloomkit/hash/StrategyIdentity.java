package io.bloomkit.hash;

import java.util.Objects;

/**
 * What makes two hash strategies the same to filters: their {@link HashStrategy#id()} and their
 * {@link HashStrategy#fingerprint()}. For authors of filters, who check a strategy once, when a
 * filter is built, and compare identities when filters meet.
 *
 * @param id the id, 1 to {@value #MAX_ID_LENGTH} printable ASCII characters
 * @param fingerprint the fingerprint
 */
public record StrategyIdentity(String id, long fingerprint) {

  /** The largest number of characters in an id. */
  public static final int MAX_ID_LENGTH = 1000;

  /**
   * Checks an identity.
   *
   * @throws IllegalArgumentException if the id is empty, too long, or has other than printable
   *     ASCII characters
   */
  public StrategyIdentity {
    checkId(id);
  }

  /**
   * Returns the identity of a strategy.
   *
   * @throws NullPointerException if the strategy is null
   * @throws IllegalArgumentException if its id is not one
   */
  public static StrategyIdentity of(HashStrategy<?> strategy) {
    Objects.requireNonNull(strategy, "strategy");
    return new StrategyIdentity(strategy.id(), strategy.fingerprint());
  }

  /**
   * Returns the identity of a function that its id alone tells from all others: a published one
   * without seed or secret. A {@link HashStrategy} that does not define its fingerprint has the
   * same.
   *
   * @throws IllegalArgumentException if the id is not one
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
              + " printable ASCII characters but is \""
              + id
              + "\"");
    }
  }

  private static boolean isPrintable(String id) {
    return id.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  /** Returns the id and the fingerprint in hexadecimal digits, as error messages show them. */
  @Override
  public String toString() {
    return id + "#" + Long.toHexString(fingerprint);
  }
}
