package io.kairos.server.observe;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessEvents;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs the lives of this node, and how far its clock is from the store's. */
public final class LivenessObserver implements LivenessEvents {
  private static final Logger LOG = LoggerFactory.getLogger(LivenessObserver.class);
  private static final String NODE = "node";
  private static final double NANOS_PER_SECOND = 1e9;

  private final Counter lives;
  private final Counter lapses;
  private volatile double clockOffsetSeconds;
  private volatile boolean clockWithinBound = true;

  public LivenessObserver(MeterRegistry registry) {
    lives =
        Counter.builder("kairos.node.lives")
            .description("Ids that this process has had")
            .register(registry);
    lapses =
        Counter.builder("kairos.node.lapses")
            .description("Lives that ended by lapse or clock")
            .register(registry);
    Gauge.builder("kairos.clock.offset", this, observer -> observer.clockOffsetSeconds)
        .description("The store's clock minus this node's")
        .baseUnit("seconds")
        .register(registry);
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
              "the clock is further from the store's than delay.liveness.clock-bound: the node"
                  + " stops acting until it agrees; correct it, for example with NTP");
    }
  }
}
