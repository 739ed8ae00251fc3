package io.bloomkit.testkit.internal;

/**
 * The fixed seeds of all random choices in the {@linkplain io.bloomkit.testkit contracts}, which
 * are the test interfaces of this module. The contracts therefore make the same random choices in
 * every run.
 */
public final class ContractSeeds {

  /** The seed of every jqwik property. */
  public static final String JQWIK = "20261120";

  /** The seed of all other random choices, such as the choice of operations in long tests. */
  public static final long HISTORY = 0x5eed_b100_2026L;

  private ContractSeeds() {}
}
