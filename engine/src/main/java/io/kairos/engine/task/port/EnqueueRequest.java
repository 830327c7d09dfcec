package io.kairos.engine.task.port;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.QueueId;
import java.time.Duration;
import java.util.Map;

/**
 * What a node wants to put on its queues.
 *
 * @param limits at most this many tasks of each queue
 * @param maxBytes bound on the payloads of all, but each queue may have one
 * @param ahead how long before their trigger
 * @param enqueueTimeout how long after their trigger, or after now if that is past, they are given
 *     up
 */
public record EnqueueRequest(
    NodeId node,
    Map<QueueId, Integer> limits,
    long maxBytes,
    Duration ahead,
    Duration enqueueTimeout) {
  public EnqueueRequest {
    limits = Map.copyOf(limits);
  }
}
