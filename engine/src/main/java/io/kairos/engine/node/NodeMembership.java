package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * This node's present life, and whether its clock agrees with the store's. Written by the liveness
 * step and by {@link #close}; read by all steps.
 */
public final class NodeMembership {
  private final InstantSource clock;
  private final MonotonicClock monotonic;
  private final long clockBoundMicros;
  private final StoreClock storeClock = new StoreClock();
  private final BelievedClock believed;

  // Volatile instead of guarded, because every step reads them on its hot path. Methods that change
  // one of the two by the other are synchronized.
  private volatile @Nullable NodeIncarnation current;
  private volatile boolean closed;

  private volatile boolean clockWithinBound = true;

  NodeMembership(InstantSource clock, MonotonicClock monotonic, LivenessConfig config) {
    this.clock = clock;
    this.monotonic = monotonic;
    this.clockBoundMicros = EpochMicros.lengthOf(config.clockBound());
    this.believed = new BelievedClock(config.lapse());
  }

  /**
   * The life in which the node may act now; empty before it is enrolled, after it has lapsed, and
   * while its clock is out of bounds.
   */
  public Optional<NodeIncarnation> acting() {
    return actingAt(EpochMicros.of(clock.instant()));
  }

  /**
   * The life in which the node may act by this reading of the wall clock, in microseconds. A step
   * that compares due times with the same reading is never early by more than the clock bound, even
   * when the clock is set meanwhile.
   */
  public Optional<NodeIncarnation> actingAt(long wallMicros) {
    long nowNanos = monotonic.nanos();
    return Optional.ofNullable(current)
        .filter(incarnation ->
            incarnation.mayAct(nowNanos)
                && storeClock.agreesWith(wallMicros, nowNanos, clockBoundMicros));
  }

  /** Records the store's time; returns true when the node's clock is within the bound of it. */
  boolean storeToldTime(Instant time, long sentNanos) {
    long receivedNanos = monotonic.nanos();
    storeClock.told(time, sentNanos, receivedNanos);
    believed.told(time, sentNanos, receivedNanos);
    long wallMicros = EpochMicros.of(clock.instant());
    clockWithinBound = storeClock.agreesWith(wallMicros, monotonic.nanos(), clockBoundMicros);
    return clockWithinBound;
  }

  /** See {@link LeaseClock}. */
  public OptionalLong believedMicros(Duration longest) {
    return believed.micros(longest, monotonic.nanos());
  }

  @Nullable NodeIncarnation current() {
    return current;
  }

  Optional<NodeId> id() {
    return Optional.ofNullable(current).map(NodeIncarnation::id);
  }

  /**
   * Begins a life.
   *
   * @return false when this node has stopped: no life begins any more
   */
  synchronized boolean begin(NodeIncarnation incarnation) {
    if (closed) {
      return false;
    }
    current = incarnation;
    return true;
  }

  synchronized void end() {
    NodeIncarnation ending = current;
    if (ending != null) {
      ending.end();
      current = null;
    }
  }

  /** Ends the life for good, when the node stops. */
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
