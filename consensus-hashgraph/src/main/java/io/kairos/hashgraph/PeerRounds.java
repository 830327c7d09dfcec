package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import java.util.Arrays;

/** The first undecided round of each other replica, as it says; 0 before it has said anything. */
final class PeerRounds {
  private final long[] rounds;

  PeerRounds(HashgraphConfig config) {
    this.rounds = new long[config.cluster().size()];
  }

  void says(ReplicaId peer, long round) {
    rounds[peer.number()] = round;
  }

  /** A replica has made an event that was born in a round, and so says that it has come there. */
  void isAtLeastAt(ReplicaId peer, long round) {
    rounds[peer.number()] = Math.max(rounds[peer.number()], round);
  }

  long of(ReplicaId peer) {
    return rounds[peer.number()];
  }

  /** How many replicas say that they have decided a round. */
  long decided(long round) {
    return Arrays.stream(rounds).filter(each -> each > round).count();
  }
}
