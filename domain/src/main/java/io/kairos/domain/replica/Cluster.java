package io.kairos.domain.replica;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How many replicas there are, and what those that fail may do.
 *
 * @param size replicas, from 1 to {@value #LARGEST}, numbered from 0
 */
public record Cluster(int size, Faults faults) {
  /** Sets of replicas are the bits of a long. */
  public static final int LARGEST = 64;

  /** How a replica fails. */
  public enum Faults {
    /** It stops, and perhaps comes back. Half of the replicas, less one, may. */
    CRASH(2),
    /** It does anything. A third of the replicas, less one, may. */
    BYZANTINE(3);

    private final int replicasPerFault;

    Faults(int replicasPerFault) {
      this.replicasPerFault = replicasPerFault;
    }
  }

  /** Throws {@link IllegalArgumentException} for a size out of range. */
  public Cluster {
    requireNonNull(faults, "faults");
    if (size < 1 || size > LARGEST) {
      throw new IllegalArgumentException(
          "a cluster has 1 to " + LARGEST + " replicas, not " + size);
    }
  }

  /** How many replicas may fail at the same time: f. */
  public int mayFail() {
    return (size - 1) / faults.replicasPerFault;
  }

  public boolean has(ReplicaId replica) {
    return replica.number() < size;
  }

  public List<ReplicaId> replicas() {
    return IntStream.range(0, size).mapToObj(ReplicaId::new).toList();
  }
}
