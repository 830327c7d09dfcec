package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.NextRound;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Renews this node's liveness in the store. The node's right to act counts from the sending of the
 * last acknowledged renewal, so that a slow answer shortens it. The step renews only while every
 * part makes progress: a node that cannot fire must not keep messages. A life ends when another
 * node has declared it dead, or when the clocks have differed by more than the bound for a lapse: a
 * clock that is set right before that takes nothing from a node that has paused. A new life then
 * begins under a new id.
 */
final class LivenessStep {
  private final LivenessConfig config;
  private final LivenessPorts ports;
  private final NodeMembership membership;
  private final List<LivingPart> parts;

  /** Former ids of this process that the store may still show as alive. */
  private final Set<NodeId> toRetire = new LinkedHashSet<>();

  /** Monotonic time at which the clocks last agreed. */
  private long agreedAtNanos;

  /**
   * @param parts a live list, which may grow until the first life begins
   */
  LivenessStep(
      LivenessConfig config,
      LivenessPorts ports,
      NodeMembership membership,
      List<LivingPart> parts) {
    this.config = config;
    this.ports = ports;
    this.membership = membership;
    this.parts = parts;
  }

  NextRound runOnce() {
    for (NodeId former : List.copyOf(toRetire)) {
      if (isSettled(former)) {
        ports.store().retire(former);
        toRetire.remove(former);
      }
    }
    NodeIncarnation current = membership.current();
    if (current == null) {
      begin();
    } else if (parts.stream().allMatch(LivingPart::isTurning)) {
      renew(current);
    }
    boolean hasEnded = current != null && membership.current() == null;
    return hasEnded || toRetire.stream().anyMatch(this::isSettled)
        ? NextRound.AT_ONCE
        : NextRound.after(config.renewInterval());
  }

  private boolean isSettled(NodeId former) {
    return parts.stream().allMatch(part -> part.isSettled(former));
  }

  private void begin() {
    if (membership.isClosed() || !checkClock()) {
      return;
    }
    NodeId id = ports.newNodeId().get();
    long sentNanos = ports.monotonic().nanos();
    toRetire.add(id); // if the answer is lost, the row must not look alive
    ports.store().enrol(id, config.lapse());
    if (membership.isClosed()) {
      return; // stopped meanwhile: the next round retires the row, or it lapses
    }
    toRetire.remove(id);
    parts.forEach(part -> part.begin(id));
    if (!membership.begin(new NodeIncarnation(id, sentNanos + config.lapse().toNanos()))) {
      parts.forEach(LivingPart::end);
      toRetire.add(id);
      return;
    }
    ports.events().enrolled(id);
    parts.forEach(LivingPart::begun);
  }

  private void renew(NodeIncarnation current) {
    long sentNanos = ports.monotonic().nanos();
    Instant sentAt = ports.clock().instant();
    Optional<Instant> storeTime = ports.store().renew(current.id());
    if (storeTime.isEmpty()) {
      end(current, "another node has declared it dead");
      return;
    }
    current.aliveUntil(sentNanos + config.lapse().toNanos());
    if (!withinBound(storeTime.get(), sentNanos, sentAt)
        && ports.monotonic().nanos() - agreedAtNanos >= config.lapse().toNanos()) {
      end(current, "its clock is further from the store's than node.liveness.clock-bound");
    }
  }

  private void end(NodeIncarnation current, String why) {
    membership.end();
    parts.forEach(LivingPart::end);
    toRetire.add(current.id());
    ports.events().lapsed(current.id(), why);
  }

  private boolean checkClock() {
    long sentNanos = ports.monotonic().nanos();
    Instant sentAt = ports.clock().instant();
    return withinBound(ports.store().time(), sentNanos, sentAt);
  }

  /** Compares the clocks and reports the offset at the middle of the round trip. */
  private boolean withinBound(Instant storeTime, long sentNanos, Instant sentAt) {
    Duration half = Duration.ofNanos((ports.monotonic().nanos() - sentNanos) / 2);
    Duration offset = Duration.between(sentAt.plus(half), storeTime);
    boolean within = membership.storeToldTime(storeTime, sentNanos);
    if (within) {
      agreedAtNanos = ports.monotonic().nanos();
    }
    ports.events().clockOffset(offset, within);
    return within;
  }
}
