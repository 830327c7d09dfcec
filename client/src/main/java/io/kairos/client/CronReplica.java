package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Replica;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A replica of a replicated cron, and the others as it knows them. Immutable. */
public final class CronReplica {
  private final Replica wire;

  CronReplica(Replica wire) {
    this.wire = wire;
  }

  /** Returns the message {@code kairos.v1.Replica} of the API, for tools. */
  public byte[] message() {
    return wire.toByteArray();
  }

  /** Name of the cluster. */
  public String cluster() {
    return wire.getCluster();
  }

  /** Number of this replica in the cluster, from 0. */
  public int number() {
    return wire.getNumber();
  }

  /** Number of the leader; empty when this replica knows none. */
  public Optional<Integer> leader() {
    return wire.hasLeader() ? Optional.of(wire.getLeader()) : Optional.empty();
  }

  /** Number of the last request of the log that this replica has executed. */
  public long sequence() {
    return wire.getSequence();
  }

  /**
   * The time that the replicas have agreed on; empty before the first tick, and where it is off.
   */
  public Optional<Instant> agreedTime() {
    return wire.hasAgreedTime()
        ? Optional.of(ProtoTime.of(wire.getAgreedTime()))
        : Optional.empty();
  }

  /** Number of entries of all tables. */
  public int entries() {
    return wire.getEntries();
  }

  /** Number of tasks, messages and pushes that are decided and not yet known to be done. */
  public int effectsWaiting() {
    return wire.getEffectsWaiting();
  }

  /** Names of the modules of this replica. */
  public List<String> modules() {
    return List.copyOf(wire.getModulesList());
  }

  @Override
  public String toString() {
    return "CronReplica[%d of %s]".formatted(number(), cluster());
  }
}
