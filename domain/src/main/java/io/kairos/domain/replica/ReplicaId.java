package io.kairos.domain.replica;

/** A replica's place in its cluster, from 0. */
public record ReplicaId(int number) implements Comparable<ReplicaId> {
  /** Throws {@link IllegalArgumentException} for a number out of range. */
  public ReplicaId {
    if (number < 0 || number >= Cluster.LARGEST) {
      throw new IllegalArgumentException(
          "a replica has a number from 0 to " + (Cluster.LARGEST - 1) + ", not " + number);
    }
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
