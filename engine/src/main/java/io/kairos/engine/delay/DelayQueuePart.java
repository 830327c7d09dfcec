package io.kairos.engine.delay;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.LivingPart;
import java.time.Duration;
import java.util.List;

/**
 * The delay queue's part of a {@linkplain io.kairos.engine.node.NodeLife node's life}: memory is
 * opened when a life begins and emptied when it ends. A life whose fire step hangs is not renewed.
 *
 * @param settle of the step that deletes what a life has sent, also after its end
 * @param wakeups of the steps that have nothing to do without a life
 */
record DelayQueuePart(DelayContext node, FireMessagesStep fire, Wakeup settle, List<Wakeup> wakeups)
    implements LivingPart {
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
    settle.signal();
  }

  @Override
  public boolean isSettled(NodeId former) {
    return !node.holding().hasSends(former);
  }
}
