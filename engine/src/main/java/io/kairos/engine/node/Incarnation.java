package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One life of this node: an id, its stamps, and until when it may act. Shared by all steps; ends
 * when the store says that the liveness has lapsed, and the node goes on under a new one.
 */
public final class Incarnation {
  private final NodeId id;
  private final long judgesFromNanos;
  private final AtomicLong lastStamp = new AtomicLong(Long.MIN_VALUE);
  private volatile long aliveUntilNanos;
  private volatile boolean ended;

  /**
   * @param judgesFromNanos monotonic time before which it judges no other node dead: after an
   *     outage of the store everybody looks dead
   */
  Incarnation(NodeId id, long aliveUntilNanos, long judgesFromNanos) {
    this.id = id;
    this.aliveUntilNanos = aliveUntilNanos;
    this.judgesFromNanos = judgesFromNanos;
  }

  public NodeId id() {
    return id;
  }

  /**
   * A stamp for what this life takes into its hands, later than every one before (CH-25: the
   * current time, never the due threshold as in CH-B3).
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

  /** True while nobody else can have declared this life dead. Asked before every send and claim. */
  public boolean mayAct(long nowNanos) {
    return !ended && nowNanos - aliveUntilNanos < 0;
  }

  public boolean mayJudge(long nowNanos) {
    return nowNanos - judgesFromNanos >= 0;
  }
}
