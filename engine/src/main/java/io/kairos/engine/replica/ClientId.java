package io.kairos.engine.replica;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.ReplicaId;

/**
 * Who numbers requests: a client chooses a number from 0 on for itself; below 0 are the replicas,
 * one for each component that they tick for (CC-39) and, far below, for what else they have to say.
 */
public record ClientId(long value) implements Comparable<ClientId> {
  /** The one under which a replica sends the ticks of a component. */
  public static ClientId ofTicks(ReplicaId replica, ComponentId component) {
    return new ClientId(-1 - (component.value() * Cluster.LARGEST + replica.number()));
  }

  /** The one under which a replica says what its state is. */
  public static ClientId ofVotes(ReplicaId replica) {
    return new ClientId(Long.MIN_VALUE + replica.number());
  }

  /** The one under which a replica says what it wants of the outside, and what that has done. */
  public static ClientId ofEffects(ReplicaId replica) {
    return new ClientId(Long.MIN_VALUE + Cluster.LARGEST + replica.number());
  }

  /** The one under which a replica says when schedules are due next. */
  public static ClientId ofSchedules(ReplicaId replica) {
    return new ClientId(Long.MIN_VALUE + 2L * Cluster.LARGEST + replica.number());
  }

  /** Whether only a replica may use it. */
  public boolean isReserved() {
    return value < 0;
  }

  @Override
  public int compareTo(ClientId other) {
    return Long.compare(value, other.value);
  }
}
