package io.kairos.client;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a handler does. Numbers above 100,000 are lower bounds.
 *
 * @param waiting new tasks, due or not, and failed ones that wait for another attempt
 * @param enqueued on the queues of nodes
 * @param processing performed by workers
 * @param blocked waiting for others of their ordering key
 * @param paused held back with their collection
 * @param dead attempts used up; can be put back
 * @param failed for good by their worker's word; can be put back
 * @param askedAt when a worker last asked for its tasks, to some seconds; null for never
 * @param hasWorker whether one has asked lately; without one its tasks wait
 * @param limits of its queues, those that are limited
 * @param gates its closed ones
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
    List<TaskGate> gates) {
  /** Copies the lists. */
  public HandlerStatus {
    limits = List.copyOf(limits);
    gates = List.copyOf(gates);
  }
}
