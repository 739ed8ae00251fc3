package io.bloomkit.testkit.hash;

import io.bloomkit.testkit.stat.SetPositionsLaw;

/** A filter reduced to its positions, of which the number of set ones can be foretold. */
interface FilterModel {

  String label();

  /** How many positions are set if the hash is ideal. */
  SetPositionsLaw law();

  void add(long hash);

  boolean mightContain(long hash);

  long setPositions();

  /** The probability that a hash which was never added is claimed, given what is set. */
  double rateOfState();
}
