package io.bloomkit.bench.result;

import io.bloomkit.bench.run.Metrics;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.run.Size;
import io.bloomkit.bench.subject.Subject;

/** Finds the filter whose false-positive rate is that of a peer. */
interface AsExact {

  /** Returns the run of a filter that is as exact as a peer. */
  Run of(Subject subject, Run peer);

  /** Returns runs that are not measured yet, as exact as their peers are expected to be. */
  static AsExact planned() {
    return (subject, peer) ->
        Run.life(subject, peer.keys(), peer.elements(), Size.of(peer.subject(), peer.fpp()).fpp());
  }

  /** Returns runs that were as exact as their peers; a run that was not measured if none was. */
  static AsExact measured(Results results) {
    return (subject, peer) ->
        results
            .like(subject, peer, Metrics.ERROR)
            .orElse(Run.life(subject, peer.keys(), peer.elements(), Double.NaN));
  }
}
