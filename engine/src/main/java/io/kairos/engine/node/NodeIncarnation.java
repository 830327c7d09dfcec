package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One life of this node, with its id, its fence stamps, and the time until which it may act. Shared
 * by all steps; thread-safe. When the life ends, the node goes on under a new one.
 */
public final class NodeIncarnation {
  private final NodeId id;
  private final AtomicLong lastStamp = new AtomicLong(Long.MIN_VALUE);
  private volatile long aliveUntilNanos;
  private volatile boolean ended;

  /**
   * @param aliveUntilNanos monotonic time until which this life may act
   */
  NodeIncarnation(NodeId id, long aliveUntilNanos) {
    this.id = id;
    this.aliveUntilNanos = aliveUntilNanos;
  }

  public NodeId id() {
    return id;
  }

  /**
   * A stamp for a claim of this life: the current time in microseconds, or one more than the last
   * stamp if that is later.
   */
  public long nextStamp(long nowMicros) {
    return lastStamp.updateAndGet(last -> Math.max(last + 1, nowMicros));
  }

  void aliveUntil(long nanos) {
    aliveUntilNanos = nanos;
  }

  void end() {
    ended = true;
  }

  /**
   * True while no other node can have declared this life dead. Checked before every send and claim.
   */
  public boolean mayAct(long nowNanos) {
    return !ended && nowNanos - aliveUntilNanos < 0;
  }
}
