package io.bloomkit.bench.result;

import io.bloomkit.bench.run.Metrics;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.run.Size;
import io.bloomkit.bench.subject.Subject;

/** Finds a run of a filter with the false-positive rate of a peer. */
interface AsExact {

  /** Returns the run of a filter with the false-positive rate of a peer. */
  Run of(Subject subject, Run peer);

  /** Returns a finder of runs to measure, by the expected rates of their peers. */
  static AsExact planned() {
    return (subject, peer) ->
        Run.life(subject, peer.keys(), peer.elements(), Size.of(peer.subject(), peer.fpp()).fpp());
  }

  /**
   * Returns a finder of measured runs, by the measured rates of their peers. If there is no such
   * run, it returns one that was not measured.
   */
  static AsExact measured(Results results) {
    return (subject, peer) ->
        results
            .like(subject, peer, Metrics.ERROR)
            .orElse(Run.life(subject, peer.keys(), peer.elements(), Double.NaN));
  }
}
