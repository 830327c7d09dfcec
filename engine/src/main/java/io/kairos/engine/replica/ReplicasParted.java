package io.kairos.engine.replica;

import io.kairos.domain.replica.ReplicaId;
import java.util.List;
import java.util.stream.Collectors;

/** The state of this replica is not that of the others: it must not go on. */
public final class ReplicasParted extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final long sequence;
  private final transient List<ReplicaId> others;

  ReplicasParted(long sequence, List<ReplicaId> others) {
    super(
        "at sequence %d this replica has another state than %s"
            .formatted(
                sequence,
                others.stream().map(ReplicaId::toString).collect(Collectors.joining(", "))));
    this.sequence = sequence;
    this.others = List.copyOf(others);
  }

  /** Where the states were compared; they parted before. */
  public long sequence() {
    return sequence;
  }

  /** Who has said that its state is another one; in order. */
  public List<ReplicaId> others() {
    return others;
  }
}
