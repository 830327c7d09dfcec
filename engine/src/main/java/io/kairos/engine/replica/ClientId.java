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

  private static final long COMPONENTS = 1L << 32;

  /** So many ids for calls a replica has. */
  public static final long CALLS = 1L << 56;

  /** The id under which a replica sends the ticks of a component. */
  public static ClientId ofTicks(ReplicaId replica, ComponentId component) {
    return ofOwn(replica, component.value());
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
    return ofOwn(replica, COMPONENTS + which);
  }

  private static ClientId ofOwn(ReplicaId replica, long which) {
    return new ClientId(-1 - (which * ReplicaGroup.LARGEST + replica.number()));
  }

  /** Of a reserved id, from 0 on: one for each component, then those of calls; others are above. */
  private long which() {
    return (-1 - value) / ReplicaGroup.LARGEST;
  }

  /** True when only a replica may use this id. */
  public boolean isReserved() {
    return value < 0;
  }

  /** True when a replica sends the ticks of a component under this id. */
  public boolean isOfTicks() {
    return isReserved() && which() < COMPONENTS;
  }

  /**
   * True when the requests under this id are those of callers, of which there may be any number.
   */
  public boolean isOfCallers() {
    return !isReserved() || (which() >= COMPONENTS && which() < COMPONENTS + CALLS);
  }

  /** True when this id is reserved for this replica, so that no other may use it. */
  public boolean belongsTo(ReplicaId replica) {
    boolean isOfOtherKind = value - Long.MIN_VALUE < OTHER_KINDS * ReplicaGroup.LARGEST;
    long owner = (isOfOtherKind ? value - Long.MIN_VALUE : -1 - value) % ReplicaGroup.LARGEST;
    return isReserved() && owner == replica.number();
  }

  @Override
  public int compareTo(ClientId other) {
    return Long.compare(value, other.value);
  }
}
