package io.kairos.domain.replica;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The number of replicas, and their kind of faults.
 *
 * @param size replicas, from 1 to {@value #LARGEST}, numbered from 0
 */
public record ReplicaGroup(int size, Faults faults) {
  /** Sets of replicas are the bits of a long. */
  public static final int LARGEST = 64;

  /** How a replica fails. */
  public enum Faults {
    /** A replica stops, and perhaps comes back. Fewer than half of the replicas may fail. */
    CRASH,
    /** A replica does anything. Fewer than a third of the replicas may fail. */
    BYZANTINE
  }

  /** Throws {@link IllegalArgumentException} for a size out of range. */
  public ReplicaGroup {
    requireNonNull(faults, "faults");
    require(
        size >= 1 && size <= LARGEST, "a cluster has 1 to " + LARGEST + " replicas, not ", size);
  }

  /** Returns how many replicas may fail at the same time: f. */
  public int mayFail() {
    return (size - 1) / (faults == Faults.CRASH ? 2 : 3);
  }

  public boolean has(ReplicaId replica) {
    return replica.number() < size;
  }

  public List<ReplicaId> replicas() {
    return IntStream.range(0, size).mapToObj(ReplicaId::new).toList();
  }
}
