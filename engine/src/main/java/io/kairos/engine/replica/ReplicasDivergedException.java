package io.kairos.engine.replica;

import io.kairos.domain.replica.ReplicaId;
import java.util.List;
import java.util.stream.Collectors;

/** The state of this replica differs from the others, and the replica must stop. */
public final class ReplicasDivergedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final long sequence;
  private final transient List<ReplicaId> others;

  ReplicasDivergedException(long sequence, List<ReplicaId> others) {
    super(
        "at sequence %d this replica has another state than %s"
            .formatted(
                sequence,
                others.stream().map(ReplicaId::toString).collect(Collectors.joining(", "))));
    this.sequence = sequence;
    this.others = List.copyOf(others);
  }

  /** The sequence at which the states were compared; they diverged at or before it. */
  public long sequence() {
    return sequence;
  }

  /** The replicas that voted for another state, in order. */
  public List<ReplicaId> others() {
    return others;
  }
}
