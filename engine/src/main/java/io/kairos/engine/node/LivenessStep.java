package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Keeps this node believed alive, by the store's clock. The node counts its right to act from the
 * sending of the last renewal that was acknowledged, so that a slow answer shortens it. Renews only
 * while every part turns: a node that cannot fire must not keep messages. When the store says that
 * the liveness has lapsed, or the clocks disagree beyond the bound, this life ends, and when all is
 * well a new one begins under a new id.
 */
final class LivenessStep implements Step {
  private final LivenessConfig config;
  private final LivenessPorts ports;
  private final LivenessStore store;
  private final Membership membership;
  private final List<LivingPart> parts;
  private final InstantSource clock;
  private final Monotonic monotonic;

  /** Former ids of this process that the store may not know to be gone. */
  private final Set<NodeId> toRetire = new LinkedHashSet<>();

  /**
   * @param parts may grow until the first life begins
   */
  LivenessStep(
      LivenessConfig config, LivenessPorts ports, Membership membership, List<LivingPart> parts) {
    this.config = config;
    this.ports = ports;
    this.store = ports.store();
    this.membership = membership;
    this.parts = parts;
    this.clock = ports.clock();
    this.monotonic = ports.monotonic();
  }

  @Override
  public String name() {
    return "liveness";
  }

  @Override
  public Next runOnce() {
    for (NodeId former : List.copyOf(toRetire)) {
      store.retire(former);
      toRetire.remove(former);
    }
    Incarnation current = membership.current();
    if (current == null) {
      begin();
    } else if (parts.stream().allMatch(LivingPart::isTurning)) {
      renew(current);
    }
    return toRetire.isEmpty() ? Next.after(config.renewInterval()) : Next.AT_ONCE;
  }

  private void begin() {
    if (membership.isClosed() || !checkClock(store::time)) {
      return;
    }
    NodeId id = ports.newNodeId().get();
    long sentNanos = monotonic.nanos();
    toRetire.add(id); // if the answer gets lost, the row must not look alive
    store.enrol(id, config.lapse());
    if (membership.isClosed()) {
      return; // stopped meanwhile: the row goes with the next round, or lapses
    }
    toRetire.remove(id);
    long lapseNanos = config.lapse().toNanos();
    parts.forEach(part -> part.begin(id));
    if (!membership.begin(new Incarnation(id, sentNanos + lapseNanos, sentNanos + lapseNanos))) {
      parts.forEach(LivingPart::end);
      toRetire.add(id);
      return;
    }
    ports.events().enrolled(id);
    parts.forEach(LivingPart::begun);
  }

  private void renew(Incarnation current) {
    long sentNanos = monotonic.nanos();
    Instant sentAt = clock.instant();
    Optional<Instant> storeTime = store.renew(current.id());
    if (storeTime.isEmpty()) {
      end(current, "its liveness lapsed by the store's clock");
      return;
    }
    current.aliveUntil(sentNanos + config.lapse().toNanos());
    if (!withinBound(storeTime.get(), sentNanos, sentAt)) {
      end(current, "its clock is further from the store's than delay.liveness.clock-bound");
    }
  }

  private void end(Incarnation current, String why) {
    membership.end();
    parts.forEach(LivingPart::end);
    toRetire.add(current.id());
    ports.events().lapsed(current.id(), why);
  }

  private boolean checkClock(Supplier<Instant> storeTime) {
    long sentNanos = monotonic.nanos();
    Instant sentAt = clock.instant();
    return withinBound(storeTime.get(), sentNanos, sentAt);
  }

  /** The offset is told as of the middle of the round trip. */
  private boolean withinBound(Instant storeTime, long sentNanos, Instant sentAt) {
    Duration half = Duration.ofNanos((monotonic.nanos() - sentNanos) / 2);
    Duration offset = Duration.between(sentAt.plus(half), storeTime);
    boolean within = membership.storeToldTime(storeTime, sentNanos);
    ports.events().clockOffset(offset, within);
    return within;
  }
}
