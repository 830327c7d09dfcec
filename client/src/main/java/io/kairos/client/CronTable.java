package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import java.time.Duration;

/**
 * A table of a replicated cron: the entries of one component, evaluated together at its ticks.
 * Immutable.
 */
public final class CronTable {
  private final io.kairos.api.v1.CronTable wire;

  CronTable(io.kairos.api.v1.CronTable wire) {
    this.wire = wire;
  }

  /** Returns the message {@code kairos.v1.CronTable} of the API, for tools. */
  public byte[] message() {
    return wire.toByteArray();
  }

  public long component() {
    return wire.getComponent();
  }

  /** Interval at which it is evaluated; zero when it is not. */
  public Duration tick() {
    return ProtoTime.of(wire.getTick());
  }

  /** Number of entries. */
  public int entries() {
    return wire.getEntries();
  }

  /** Number of exceptions of the code of its entries. */
  public long failures() {
    return wire.getFailures();
  }

  @Override
  public String toString() {
    return "CronTable[" + component() + "]";
  }
}
