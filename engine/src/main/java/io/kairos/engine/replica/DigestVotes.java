package io.kairos.engine.replica;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * Compares the state digests that replicas vote for at a sequence with this replica's own digest.
 * Votes come in the order of the log, so all replicas count equal votes. Local, and no part of the
 * replicated state; bounded. Used by the log's thread only.
 */
public final class DigestVotes {
  private final ReplicaGroup cluster;
  private final TreeMap<Long, TreeMap<ReplicaId, String>> votes = new TreeMap<>();

  /** The result of the votes at a sequence. */
  public enum Verdict {
    /** Too few replicas have voted, or this replica's own digest is unknown. */
    OPEN,
    /**
     * One more replica than may fail has this replica's state, so that a correct replica has it.
     */
    AGREED,
    /**
     * One more replica than may fail has one state that differs from this replica's, or no state
     * can reach that number any more. This replica must stop.
     */
    DIVERGED
  }

  public DigestVotes(ReplicaGroup cluster) {
    this.cluster = cluster;
  }

  /**
   * Counts a vote. Only a replica's first vote at a sequence counts.
   *
   * @param own this replica's digest at the sequence; empty when unknown
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

  /** The replicas that voted for another digest at a sequence, in order. */
  List<ReplicaId> others(long sequence, byte[] own) {
    String mine = HexFormat.of().formatHex(own);
    return votes.getOrDefault(sequence, new TreeMap<>()).entrySet().stream()
        .filter(vote -> !vote.getValue().equals(mine))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * The state of each replica, as its votes show it.
   *
   * @param own this replica's digest at a sequence; empty when unknown
   */
  List<PeerVotes> byReplica(LongFunction<Optional<byte[]>> own) {
    return cluster.replicas().stream().map(replica -> of(replica, own)).toList();
  }

  private PeerVotes of(ReplicaId replica, LongFunction<Optional<byte[]>> own) {
    Optional<Checkpoint> last = Optional.empty();
    OptionalLong partedAt = OptionalLong.empty();
    for (Map.Entry<Long, TreeMap<ReplicaId, String>> entry : votes.entrySet()) {
      String vote = entry.getValue().get(replica);
      if (vote != null) {
        byte[] digest = HexFormat.of().parseHex(vote);
        last = Optional.of(new Checkpoint(entry.getKey(), digest));
        boolean isOther =
            own.apply(entry.getKey()).filter(mine -> !Arrays.equals(mine, digest)).isPresent();
        if (isOther && partedAt.isEmpty()) {
          partedAt = OptionalLong.of(entry.getKey());
        }
      }
    }
    return new PeerVotes(replica, last, partedAt);
  }

  private Verdict judge(Map<ReplicaId, String> atSequence, String own) {
    int enough = cluster.mayFail() + 1;
    int most = 0;
    for (String digest : atSequence.values()) {
      int count = Collections.frequency(atSequence.values(), digest);
      most = Math.max(most, count);
      if (count >= enough) {
        return digest.equals(own) ? Verdict.AGREED : Verdict.DIVERGED;
      }
    }
    int missing = cluster.size() - atSequence.size();
    return most + missing < enough ? Verdict.DIVERGED : Verdict.OPEN;
  }
}
