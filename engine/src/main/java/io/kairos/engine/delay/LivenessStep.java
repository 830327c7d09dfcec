package io.kairos.engine.delay;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.Incarnation;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps this node believed alive, by the store's clock (law 4). The node counts its right to act
 * from the sending of the last renewal that was acknowledged, so that a slow answer shortens it.
 * Renews only while the fire step turns: a node that cannot fire must not keep messages. When the
 * store says that the liveness has lapsed, or the clocks disagree beyond the bound, this life ends,
 * and when all is well a new one begins under a new id.
 */
final class LivenessStep implements Step {
  /** Without a turn of the fire step in this time the node stops renewing. */
  private static final Duration FIRE_MUST_TURN_WITHIN = Duration.ofSeconds(1);

  private final NodeContext node;
  private final DelayConfig.Liveness config;
  private final LivenessStore store;
  private final LongSupplier fireTurnedAtNanos;
  private final Supplier<NodeId> newId;
  private final List<Wakeup> toWake;
  private final InstantSource clock;
  private final Monotonic monotonic;

  /** Former ids of this process that the store may not know to be gone. */
  private final Set<NodeId> toRetire = new LinkedHashSet<>();

  LivenessStep(
      NodeContext node,
      LivenessStore store,
      LongSupplier fireTurnedAtNanos,
      Supplier<NodeId> newId,
      List<Wakeup> toWake) {
    this.node = node;
    this.config = node.config().liveness();
    this.store = store;
    this.fireTurnedAtNanos = fireTurnedAtNanos;
    this.newId = newId;
    this.toWake = List.copyOf(toWake);
    this.clock = node.clock();
    this.monotonic = node.monotonic();
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
    Incarnation current = node.membership().current();
    if (current == null) {
      begin();
    } else if (monotonic.nanos() - fireTurnedAtNanos.getAsLong()
        < FIRE_MUST_TURN_WITHIN.toNanos()) {
      renew(current);
    }
    return toRetire.isEmpty() ? Next.after(config.renewInterval()) : Next.AT_ONCE;
  }

  private void begin() {
    if (node.membership().isClosed() || !checkClock(store::time)) {
      return;
    }
    NodeId id = newId.get();
    long sentNanos = monotonic.nanos();
    toRetire.add(id); // if the answer gets lost, the row must not look alive
    store.enrol(id, config.lapse());
    if (node.membership().isClosed()) {
      return; // stopped meanwhile: the row goes with the next round, or lapses
    }
    toRetire.remove(id);
    long lapseNanos = config.lapse().toNanos();
    node.holding().open(id, EpochMicros.of(clock.instant()));
    if (!node.membership()
        .begin(new Incarnation(id, sentNanos + lapseNanos, sentNanos + lapseNanos))) {
      node.holding().close();
      toRetire.add(id);
      return;
    }
    node.events().enrolled(id);
    toWake.forEach(Wakeup::signal);
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
    node.membership().end();
    node.holding().close();
    toRetire.add(current.id());
    node.events().lapsed(current.id(), why);
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
    boolean within = node.membership().storeToldTime(storeTime, sentNanos);
    node.events().clockOffset(offset, within);
    return within;
  }
}
