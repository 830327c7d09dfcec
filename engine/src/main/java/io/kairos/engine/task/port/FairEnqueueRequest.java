package io.kairos.engine.task.port;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.QueueId;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;

/**
 * A node's request for tasks of a queue that has fairness keys: some of each key.
 *
 * @param limit most tasks
 * @param maxBytes bound on the bytes of payload, except that there may always be one task
 * @param without keys whose tasks are not wanted; an empty one stands for tasks without a key
 * @param after the key after which the search for keys begins; it goes on from the first key when
 *     it has come to the last one
 * @param ahead how long before their trigger tasks are enqueued
 * @param enqueueTimeout how long after their trigger, or after now if the trigger has passed, tasks
 *     return to their queue in the store
 */
public record FairEnqueueRequest(
    NodeId node,
    QueueId queue,
    int limit,
    long maxBytes,
    Set<String> without,
    String after,
    Duration ahead,
    Duration enqueueTimeout) {
  /** Most keys that are looked at for one request; there are never more than tasks. */
  public static final int MOST_KEYS = 1_000;

  /** The order in which keys are looked at: that of their code points. */
  public static final Comparator<String> KEY_ORDER =
      Comparator.comparing(key -> key.codePoints().toArray(), Arrays::compare);

  public FairEnqueueRequest {
    without = Set.copyOf(without);
  }

  /** Returns the number of keys to look at. */
  public int maxKeys() {
    return Math.min(limit, MOST_KEYS);
  }
}
