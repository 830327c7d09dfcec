package io.kairos.engine.delay.setup;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.RecordRejection;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.LongHeldMessage;
import java.util.List;

/**
 * Listener to a delay node's steps, for metrics, logs and tests. The steps themselves neither log
 * nor count. Called on the thread of a step or of a send's completion; must be quick and must not
 * throw.
 */
public interface DelayEvents {
  /** A listener that does nothing. */
  DelayEvents NONE = new DelayEvents() {};

  /** Records were taken in; duplicates of pending messages among them were ignored. */
  default void accepted(RouteId route, int stored, int duplicates) {}

  /** The store did not take messages in; the records of an input topic are read again. */
  default void notAccepted(RouteId route, String why) {}

  /** Messages were claimed by the poll, beyond those claimed at intake. */
  default void claimed(int count) {}

  /**
   * The broker acknowledged a message.
   *
   * @param latenessMicros acknowledgement minus due time by the node's clock; negative when early
   * @param publishNanos from send to acknowledgement
   */
  default void fired(DelayedMessage message, long latenessMicros, long publishNanos) {}

  /** A message was late on arrival and went out without being stored. */
  default void firedDirectly(DelayedMessage message, long latenessMicros) {}

  default void deadLettered(RouteId route, RecordRejection.Reason reason) {}

  /** A cancel or reschedule was decided. */
  default void amended(RouteId route, AmendmentOutcome outcome) {}

  default void publishFailed(MessageOutput output, int partition, String why) {}

  /**
   * The broker refused an amendment's outcome for the route's results topic for good, and the
   * outcome is dropped.
   */
  default void resultRefused(RouteId route, TopicName topic, String why) {}

  /** Messages whose output is dead, slow or refuses them were given back to the store for later. */
  default void deferred(int count) {}

  /** This node took over messages of a node that lapsed or retired. */
  default void takenOver(NodeId from, boolean retired, List<ClaimedMessage> messages) {}

  /** Messages held beyond the hold time were reset to waiting, all of one suspected holder. */
  default void suspected(NodeId holder, List<LongHeldMessage> reset) {}

  /** Fired messages were no longer stored under this node's fence when they were to be deleted. */
  default void gone(List<ClaimedMessage> messages) {}

  /**
   * The broker's offsets and the store's disagreed; the partition is read again from the store's
   * position.
   */
  default void repositioned(RouteId route, int partition) {}
}
