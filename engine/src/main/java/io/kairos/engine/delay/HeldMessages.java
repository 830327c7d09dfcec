package io.kairos.engine.delay;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.LivingPart;
import java.time.Duration;
import java.util.List;

/**
 * What a node holds of the delay queue, as the life under which it is held sees it: opened and
 * emptied with each life, and no longer this node's when the fire step hangs.
 *
 * @param wakeups of the steps that have nothing to do without a life
 */
record HeldMessages(NodeContext node, FireStep fire, List<Wakeup> wakeups) implements LivingPart {
  private static final Duration FIRE_MUST_TURN_WITHIN = Duration.ofSeconds(1);

  @Override
  public boolean isTurning() {
    return node.monotonic().nanos() - fire.turnedAtNanos() < FIRE_MUST_TURN_WITHIN.toNanos();
  }

  @Override
  public void begin(NodeId life) {
    node.holding().open(life, EpochMicros.of(node.clock().instant()));
  }

  @Override
  public void begun() {
    wakeups.forEach(Wakeup::signal);
  }

  @Override
  public void end() {
    node.holding().close();
  }
}
