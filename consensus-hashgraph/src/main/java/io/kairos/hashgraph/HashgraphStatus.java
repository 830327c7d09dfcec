package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Status of this replica and its view of the others; at most some tenths of a second old.
 *
 * @param round the first undecided round
 * @param agreed the time of the last request; 1970 before the first
 * @param isSilent while this replica makes no events, because it once forgot those that it made
 * @param forkers the replicas that are known to have made two events in one place
 * @param peers by number, this one included
 * @param stopped why this replica does nothing any more; empty while it runs
 * @param strangers trouble with connections of which nobody knows whose they were
 */
public record HashgraphStatus(
    long round,
    Instant agreed,
    boolean isSilent,
    List<ReplicaId> forkers,
    List<Peer> peers,
    Optional<String> stopped,
    Map<LinkFault, Long> strangers) {
  public HashgraphStatus {
    forkers = List.copyOf(forkers);
    peers = List.copyOf(peers);
    strangers = Map.copyOf(strangers);
  }

  /**
   * One replica.
   *
   * @param round the first undecided round there, as it says; 0 before it has said anything
   * @param isHeard it has a connection to this replica
   * @param isReached this replica has a connection to it
   * @param occurrences what it did, or was counted when it spoke; for this replica what it met
   *     itself; counts since the start, without those that are 0
   * @param faults trouble with its connections
   */
  public record Peer(
      ReplicaId replica,
      long round,
      boolean isHeard,
      boolean isReached,
      Map<Occurrence, Long> occurrences,
      Map<LinkFault, Long> faults) {
    public Peer {
      occurrences = Map.copyOf(occurrences);
      faults = Map.copyOf(faults);
    }
  }
}
