package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;

/**
 * The first undecided round of each other replica; 0 before anything is known. What a replica has
 * said last is where it is now, and falls when it has lost its memory. Its events show where it has
 * been at least.
 */
final class PeerRounds {
  private final long[] said;
  private final long[] shown;

  PeerRounds(HashgraphConfig config) {
    this.said = new long[config.cluster().size()];
    this.shown = new long[config.cluster().size()];
  }

  void says(ReplicaId peer, long round) {
    said[peer.number()] = round;
  }

  /** A replica has made an event that was born in a round, and so says that it has come there. */
  void shows(ReplicaId peer, long round) {
    shown[peer.number()] = Math.max(shown[peer.number()], round);
  }

  /** As it has said last in a question. */
  long said(ReplicaId peer) {
    return said[peer.number()];
  }

  /** The latest to which it is known to have come, by either. */
  long of(ReplicaId peer) {
    return Math.max(said[peer.number()], shown[peer.number()]);
  }
}
