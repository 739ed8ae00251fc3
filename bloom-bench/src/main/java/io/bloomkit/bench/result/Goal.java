package io.bloomkit.bench.result;

import io.bloomkit.bench.run.Operation;
import io.bloomkit.bench.run.Run;

/**
 * A goal for the speed of an operation.
 *
 * @param name the name of the peer with which the time is compared
 * @param limit the largest ratio of the time of the run to that of the peer
 */
public record Goal(String name, Run run, Operation operation, Run peer, double limit) {

  static Goal of(Run run, Operation operation, Run peer, double limit) {
    return new Goal(peer.subject().label, run, operation, peer, limit);
  }
}
