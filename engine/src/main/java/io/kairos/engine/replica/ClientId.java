package io.kairos.engine.replica;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;

/**
 * Identity of a client of the replicated log. Clients choose ids from 0 on. Negative ids are
 * reserved for replicas: one for each component for which a replica sends ticks, many for calls
 * that bring no id, and one for each other kind of request of a replica.
 */
public record ClientId(long value) implements Comparable<ClientId> {
  /** Votes, effects, schedules. */
  private static final long OTHER_KINDS = 3;

  /** So many ids for calls a replica has. */
  public static final long CALLS = 1L << 56;

  private static final long FIRST_OF_CALLS = Long.MIN_VALUE + OTHER_KINDS * ReplicaGroup.LARGEST;
  private static final long LAST_OF_CALLS = FIRST_OF_CALLS + CALLS * ReplicaGroup.LARGEST - 1;

  /** The id under which a replica sends the ticks of a component. */
  public static ClientId ofTicks(ReplicaId replica, ComponentId component) {
    return new ClientId(-1 - (component.value() * ReplicaGroup.LARGEST + replica.number()));
  }

  /** The id under which a replica votes on state digests. */
  public static ClientId ofVotes(ReplicaId replica) {
    return new ClientId(Long.MIN_VALUE + replica.number());
  }

  /** The id under which a replica reports external effects that it requests, and their results. */
  public static ClientId ofEffects(ReplicaId replica) {
    return new ClientId(Long.MIN_VALUE + ReplicaGroup.LARGEST + replica.number());
  }

  /** The id under which a replica reports when schedules are due next. */
  public static ClientId ofSchedules(ReplicaId replica) {
    return new ClientId(Long.MIN_VALUE + 2L * ReplicaGroup.LARGEST + replica.number());
  }

  /**
   * An id under which a replica submits calls that bring none, so that no other can take the number
   * of one, and have its own request answered in the place of it.
   *
   * @param which from 0 to below {@link #CALLS}
   */
  public static ClientId ofCalls(ReplicaId replica, long which) {
    return new ClientId(FIRST_OF_CALLS + which * ReplicaGroup.LARGEST + replica.number());
  }

  /** True when only a replica may use this id. */
  public boolean isReserved() {
    return value < 0;
  }

  /** True when a replica sends the ticks of a component under this id. */
  public boolean isOfTicks() {
    return isReserved() && value > LAST_OF_CALLS;
  }

  /**
   * True when the requests under this id are those of callers, of which there may be any number.
   */
  public boolean isOfCallers() {
    return !isReserved() || (value >= FIRST_OF_CALLS && value <= LAST_OF_CALLS);
  }

  /** True when this id is reserved for this replica, so that no other may use it. */
  public boolean belongsTo(ReplicaId replica) {
    long owner = (isOfTicks() ? -1 - value : value - Long.MIN_VALUE) % ReplicaGroup.LARGEST;
    return isReserved() && owner == replica.number();
  }

  @Override
  public int compareTo(ClientId other) {
    return Long.compare(value, other.value);
  }
}
