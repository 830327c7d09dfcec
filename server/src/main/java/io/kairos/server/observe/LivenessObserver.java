package io.kairos.server.observe;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessEvents;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics and logs of this node's lives and of its clock's offset from the store's. */
public final class LivenessObserver implements LivenessEvents {
  private static final Logger LOG = LoggerFactory.getLogger(LivenessObserver.class);
  private static final String NODE = "node";
  private static final double NANOS_PER_SECOND = 1e9;

  private final Counter lives;
  private final Counter lapses;
  private final MeterFactory meters;
  private volatile double clockOffsetSeconds;
  private volatile @Nullable Duration ahead;
  private volatile boolean clockWithinBound = true;

  public LivenessObserver(MeterRegistry registry) {
    meters = new MeterFactory(registry);
    lives = meters.counter("kairos.node.lives", "Ids that this process has had");
    lapses = meters.counter("kairos.node.lapses", "Lives that ended by lapse or clock");
    meters.gaugeOfSeconds(
        "kairos.clock.offset", "The store's clock minus this node's", () -> clockOffsetSeconds);
  }

  /**
   * Registers the gauge of the node's readiness.
   *
   * @param ready true while the node may act
   */
  public void watch(BooleanSupplier ready) {
    meters.gauge(
        "kairos.node.ready", "1 while the node may act", () -> ready.getAsBoolean() ? 1 : 0);
  }

  /** The node's clock minus the store's; null while it is not known. */
  public @Nullable Duration ahead() {
    return ahead;
  }

  @Override
  public void enrolled(NodeId node) {
    lives.increment();
    LOG.atInfo().addKeyValue(NODE, node).log("enrolled: this node acts under a new id");
  }

  @Override
  public void lapsed(NodeId node, String why) {
    lapses.increment();
    LOG.atWarn()
        .addKeyValue(NODE, node)
        .addKeyValue("why", why)
        .log("this life of the node has ended; others may take over what it held");
  }

  @Override
  public void clockOffset(Duration offset, boolean withinBound) {
    clockOffsetSeconds = offset.toNanos() / NANOS_PER_SECOND;
    ahead = offset.negated();
    if (withinBound == clockWithinBound) {
      return;
    }
    clockWithinBound = withinBound;
    if (withinBound) {
      LOG.atInfo()
          .addKeyValue("offsetMillis", offset.toMillis())
          .log("the clock agrees with the store's again");
    } else {
      LOG.atError()
          .addKeyValue("offsetMillis", offset.toMillis())
          .log(
              "the clock is further from the store's than node.liveness.clock-bound: the node"
                  + " stops acting until it agrees; correct it, for example with NTP");
    }
  }
}
