package io.bloomkit.testkit;

/**
 * The seeds of all that is random in the contracts: fixed, so that a run can be repeated. A failing
 * property prints its seed itself; the contracts publish both as report entries.
 */
public final class ContractSeeds {

  /** The seed of every jqwik property. */
  public static final String JQWIK = "20261120";

  /** The seed of the long deterministic histories. */
  public static final long HISTORY = 0x5eed_b100_2026L;

  private ContractSeeds() {}
}
