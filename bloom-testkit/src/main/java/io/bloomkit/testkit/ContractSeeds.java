package io.bloomkit.testkit;

/**
 * The fixed seeds of everything random in the contracts, so that a run can be repeated. The
 * contracts publish both as report entries.
 */
public final class ContractSeeds {

  /** The seed of every jqwik property. */
  public static final String JQWIK = "20261120";

  /** The seed of the long deterministic histories. */
  public static final long HISTORY = 0x5eed_b100_2026L;

  private ContractSeeds() {}
}
