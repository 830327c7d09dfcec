package io.kairos.engine.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Rejection;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.TopicName;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.Suspect;
import java.util.List;

/**
 * What a node tells about itself: metrics, logs and tests listen here, so that the steps neither
 * log nor count. Called on the thread of the step or of a send's completion; must be quick, must
 * not throw.
 */
public interface DelayEvents {
  /** A listener that does nothing. */
  DelayEvents NONE = new DelayEvents() {};

  /** Records were taken in; duplicates of pending messages among them were ignored (CH-12). */
  default void accepted(RouteId route, int stored, int duplicates) {}

  /** Messages were claimed by the poll, beyond those claimed at intake. */
  default void claimed(int count) {}

  /**
   * The broker acknowledged a message.
   *
   * @param latenessMicros acknowledgement minus due time by the node's clock; negative when early
   * @param publishNanos from send to acknowledgement
   */
  default void fired(DelayedMessage message, long latenessMicros, long publishNanos) {}

  /** A message was late on arrival and went out without being stored (CH-16). */
  default void firedDirectly(DelayedMessage message, long latenessMicros) {}

  default void deadLettered(RouteId route, Rejection.Reason reason) {}

  default void amended(AmendmentOutcome outcome) {}

  default void publishFailed(Output output, int partition, String why) {}

  /** The broker will never take this outcome on the route's results topic: it is not told. */
  default void resultRefused(RouteId route, TopicName topic, String why) {}

  /** Messages whose output is dead, slow or refuses them were given back to the store for later. */
  default void deferred(int count) {}

  /** Messages of a node that is gone are this node's now. */
  default void takenOver(NodeId from, boolean retired, List<Claimed> messages) {}

  /**
   * Messages held beyond the hold time were reset to waiting, all of one suspected holder (CH-32).
   */
  default void suspected(NodeId holder, List<Suspect> reset) {}

  /** Fired messages were no longer there when they were to be deleted (CH-28). */
  default void gone(List<Claimed> messages) {}

  /**
   * The broker's offsets and the store's disagreed; the partition is read again from the store's
   * position.
   */
  default void repositioned(RouteId route, int partition) {}
}
