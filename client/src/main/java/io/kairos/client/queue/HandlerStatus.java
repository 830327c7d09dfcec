package io.kairos.client.queue;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a handler and its tasks. Counts above 100,000 are lower bounds, and those of dead
 * and of failed tasks when there are more than 20,000 of either over all handlers.
 *
 * @param waiting number of new tasks, due or not, and of tasks that wait for another attempt
 * @param enqueued number of tasks on the queues of nodes
 * @param processing number of tasks that workers perform
 * @param blocked number of tasks that wait for other tasks of their ordering key
 * @param paused number of tasks that wait because their collection is paused
 * @param dead number of tasks whose attempts are used up; a redrive can put them back
 * @param failed number of tasks that their worker reported as failed for good; a redrive can put
 *     them back
 * @param askedAt when a worker last asked for its tasks, accurate to some seconds; null for never
 * @param hasWorker true when a worker has asked lately; without a worker the tasks wait
 * @param limits limits of its limited queues
 * @param pauses its pauses in force
 */
public record HandlerStatus(
    String name,
    int waiting,
    int enqueued,
    int processing,
    int blocked,
    int paused,
    int dead,
    int failed,
    @Nullable Instant askedAt,
    boolean hasWorker,
    List<QueueLimit> limits,
    List<HandlerPause> pauses) {
  /** Copies the lists. */
  public HandlerStatus {
    limits = List.copyOf(limits);
    pauses = List.copyOf(pauses);
  }
}
