package io.kairos.engine.task.port;

import io.kairos.domain.task.queue.QueueId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Queues that held nothing and are retired, each with a mark of its retirement. A retired queue is
 * not listed; who needs it takes it back.
 *
 * @param horizon what the store had begun by then; it means something to the store alone
 */
public record RetiredQueues(Map<QueueId, Long> marks, long horizon) {
  public static final RetiredQueues NONE = new RetiredQueues(Map.of(), 0);

  public RetiredQueues {
    marks = Map.copyOf(marks);
  }

  /** Those that were retired already, by the same mark, when {@code before} was read. */
  public RetiredQueues since(RetiredQueues before) {
    Map<QueueId, Long> still = new HashMap<>();
    marks.forEach((queue, mark) -> {
      @Nullable Long then = before.marks.get(queue);
      if (mark.equals(then)) {
        still.put(queue, mark);
      }
    });
    return new RetiredQueues(still, horizon);
  }
}
