package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which life this node lives at the moment, and whether its clock may be believed. Written by the
 * liveness step alone, read by all.
 */
public final class Membership {
  private final InstantSource clock;
  private final Monotonic monotonic;
  private final long clockBoundMicros;
  private final StoreClock storeClock = new StoreClock();
  private volatile @Nullable Incarnation current;
  private volatile boolean clockWithinBound = true;
  private volatile boolean closed;

  Membership(InstantSource clock, Monotonic monotonic, Duration clockBound) {
    this.clock = clock;
    this.monotonic = monotonic;
    this.clockBoundMicros = EpochMicros.lengthOf(clockBound);
  }

  /**
   * The life in which the node may act now; empty before it is enrolled, after it has lapsed, and
   * while its clock is out of bounds.
   */
  public Optional<Incarnation> acting() {
    return actingAt(EpochMicros.of(clock.instant()));
  }

  /**
   * The same for a step that judges due times by this reading of the clock: whatever the clock does
   * after it, nothing that is judged by it can be early beyond the bound.
   */
  public Optional<Incarnation> actingAt(long wallMicros) {
    long nowNanos = monotonic.nanos();
    return Optional.ofNullable(current)
        .filter(incarnation ->
            incarnation.mayAct(nowNanos)
                && storeClock.agreesWith(wallMicros, nowNanos, clockBoundMicros));
  }

  /** The store has told its time; returns whether the node's clock agrees with it. */
  boolean storeToldTime(Instant time, long sentNanos) {
    storeClock.told(time, sentNanos, monotonic.nanos());
    long wallMicros = EpochMicros.of(clock.instant());
    clockWithinBound = storeClock.agreesWith(wallMicros, monotonic.nanos(), clockBoundMicros);
    return clockWithinBound;
  }

  @Nullable Incarnation current() {
    return current;
  }

  Optional<NodeId> id() {
    return Optional.ofNullable(current).map(Incarnation::id);
  }

  /**
   * Begins a life.
   *
   * @return false when this node has stopped: no life begins any more
   */
  synchronized boolean begin(Incarnation incarnation) {
    if (closed) {
      return false;
    }
    current = incarnation;
    return true;
  }

  void end() {
    Incarnation ending = current;
    if (ending != null) {
      ending.end();
      current = null;
    }
  }

  /** Ends the life, and no other begins: the node stops. */
  synchronized void close() {
    closed = true;
    end();
  }

  boolean isClosed() {
    return closed;
  }

  boolean isClockWithinBound() {
    return clockWithinBound;
  }
}
