package io.kairos.engine.replica;

import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.ReplicaId;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What replicas say their state is at a sequence, held against the own one. The votes come in the
 * order of the log, so each replica counts the same ones. Local, and no part of the state; bounded.
 * On the log's thread only.
 */
public final class DigestVotes {
  private final Cluster cluster;
  private final TreeMap<Long, TreeMap<ReplicaId, String>> votes = new TreeMap<>();

  /** What the votes at a sequence say. */
  public enum Verdict {
    /** Too few have voted, or the own state there is not known. */
    OPEN,
    /** One more than may fail have the own state: one of them is correct. */
    AGREED,
    /**
     * One more than may fail have the same state, which is not the own one; or no state can have so
     * many any more. This replica must not go on.
     */
    PARTED
  }

  public DigestVotes(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Counts a vote; a replica's first one at a sequence counts.
   *
   * @param own the own digest at that sequence, if it is known
   */
  public Verdict vote(ReplicaId from, long sequence, byte[] digest, Optional<byte[]> own) {
    TreeMap<ReplicaId, String> atSequence = votes.computeIfAbsent(sequence, _ -> new TreeMap<>());
    atSequence.putIfAbsent(from, HexFormat.of().formatHex(digest));
    Verdict verdict =
        own.map(mine -> judge(atSequence, HexFormat.of().formatHex(mine))).orElse(Verdict.OPEN);
    if (votes.size() > OrderedExecution.CHECKPOINTS_KEPT) {
      votes.remove(votes.firstKey());
    }
    return verdict;
  }

  /** Who has voted for another state at a sequence, in order. */
  List<ReplicaId> others(long sequence, byte[] own) {
    String mine = HexFormat.of().formatHex(own);
    return votes.getOrDefault(sequence, new TreeMap<>()).entrySet().stream()
        .filter(vote -> !vote.getValue().equals(mine))
        .map(Map.Entry::getKey)
        .toList();
  }

  private Verdict judge(Map<ReplicaId, String> atSequence, String own) {
    int enough = cluster.mayFail() + 1;
    int most = 0;
    for (String digest : atSequence.values()) {
      int count = Collections.frequency(atSequence.values(), digest);
      most = Math.max(most, count);
      if (count >= enough) {
        return digest.equals(own) ? Verdict.AGREED : Verdict.PARTED;
      }
    }
    int missing = cluster.size() - atSequence.size();
    return most + missing < enough ? Verdict.PARTED : Verdict.OPEN;
  }
}
