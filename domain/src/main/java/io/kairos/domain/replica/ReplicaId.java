package io.kairos.domain.replica;

import static io.kairos.domain.check.ArgumentCheck.require;

/** The number of a replica in its cluster, from 0. */
public record ReplicaId(int number) implements Comparable<ReplicaId> {
  /** Throws {@link IllegalArgumentException} for a number out of range. */
  public ReplicaId {
    require(
        number >= 0 && number < ReplicaGroup.LARGEST,
        "a replica has a number from 0 to " + (ReplicaGroup.LARGEST - 1) + ", not ",
        number);
  }

  /** Returns the replica's bit in a set of replicas. */
  public long bit() {
    return 1L << number;
  }

  @Override
  public int compareTo(ReplicaId other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return "replica " + number;
  }
}
