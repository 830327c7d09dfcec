package io.kairos.engine.replica;

import io.kairos.domain.replica.ReplicaId;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One replica's view of a log that tolerates liars, at most a second old. Local: other replicas may
 * have met other lies. Counts begin with 0 at each start of the process, and have all kinds from
 * the beginning.
 *
 * @param round the round that is being decided
 * @param agreed the time that the replicas agreed on for the last request; 1970 before the first
 * @param isSilent true while this replica says nothing, because it has lost what it said before
 * @param forkers replicas that are known to have signed two things where one is allowed
 * @param peers all replicas by their numbers, this one included
 * @param strangers trouble with connections of which nobody knows whose they were, by kind
 */
public record PeerReport(
    long round,
    Instant agreed,
    boolean isSilent,
    List<ReplicaId> forkers,
    List<Peer> peers,
    SortedMap<String, Long> strangers) {
  public PeerReport {
    forkers = List.copyOf(forkers);
    peers = List.copyOf(peers);
    strangers = copy(strangers);
  }

  /**
   * One replica.
   *
   * @param round the round that it is deciding, as it says; 0 before it has said anything
   * @param isConnected true while both can send to each other; true for this replica
   * @param occurrences trouble that is counted for it, by kind; for this replica its own
   */
  public record Peer(
      ReplicaId replica, long round, boolean isConnected, SortedMap<String, Long> occurrences) {
    public Peer {
      occurrences = copy(occurrences);
    }
  }

  private static SortedMap<String, Long> copy(SortedMap<String, Long> counts) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(counts));
  }
}
