package io.kairos.engine.task.port;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.QueueId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node's request for tasks for its queues.
 *
 * @param limits most tasks of each queue
 * @param maxBytes bound on the bytes of payload of all tasks, except that each queue may have one
 *     task
 * @param ahead how long before their trigger tasks are enqueued
 * @param enqueueTimeout how long after their trigger, or after now if the trigger has passed, tasks
 *     return to their queues in the store
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

  /** The rest of this request after these tasks have been enqueued. */
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
