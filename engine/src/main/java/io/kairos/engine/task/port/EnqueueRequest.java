package io.kairos.engine.task.port;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.QueueId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
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

  /** What is left of it when these have been enqueued. */
  public EnqueueRequest without(List<EnqueuedTask> enqueued) {
    Map<QueueId, Integer> left = new HashMap<>(limits);
    long bytes = maxBytes;
    for (EnqueuedTask task : enqueued) {
      left.merge(task.queue(), -1, Integer::sum);
      bytes -= task.details().bytes();
    }
    return new EnqueueRequest(node, left, bytes, ahead, enqueueTimeout);
  }
}
