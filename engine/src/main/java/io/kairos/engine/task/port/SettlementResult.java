package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.queue.QueueId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of settlements.
 *
 * @param tasks the settled tasks
 * @param roomIn queues with tasks that are not enqueued and may begin now
 * @param executions how long the attempts took that were settled and had begun
 * @param enqueued the next tasks of ordering keys and ready successors, enqueued on the calling
 *     node
 * @param traceparents the trace contexts of the settled tasks that have one, as they are stored;
 *     only a node that makes spans reads them
 * @param successorsLeft true when not all successors have been told, see {@link
 *     TaskStepStore#followEnds}
 */
public record SettlementResult(
    Set<FencedTask> tasks,
    Set<QueueId> roomIn,
    List<Execution> executions,
    List<EnqueuedTask> enqueued,
    Map<FencedTask, String> traceparents,
    boolean successorsLeft) {
  public static final SettlementResult NOTHING = new SettlementResult(Set.of(), Set.of());

  public SettlementResult {
    tasks = Set.copyOf(tasks);
    roomIn = Set.copyOf(roomIn);
    executions = List.copyOf(executions);
    enqueued = List.copyOf(enqueued);
    traceparents = Map.copyOf(traceparents);
  }

  /** A result without executions, enqueued tasks and trace contexts. */
  public SettlementResult(Set<FencedTask> tasks, Set<QueueId> roomIn) {
    this(tasks, roomIn, List.of(), List.of(), Map.of(), false);
  }

  /** The result of this call and another one. */
  public SettlementResult and(SettlementResult other) {
    Map<FencedTask, String> all = new HashMap<>(traceparents);
    all.putAll(other.traceparents);
    return new SettlementResult(
        Stream.of(tasks, other.tasks).flatMap(Set::stream).collect(Collectors.toSet()),
        Stream.of(roomIn, other.roomIn).flatMap(Set::stream).collect(Collectors.toSet()),
        Stream.of(executions, other.executions).flatMap(List::stream).toList(),
        Stream.of(enqueued, other.enqueued).flatMap(List::stream).toList(),
        all,
        successorsLeft || other.successorsLeft);
  }

  /**
   * An attempt that has ended.
   *
   * @param task as it was held by the attempt
   * @param micros time since its claim, by the store's clock
   */
  public record Execution(FencedTask task, QueueId queue, long micros) {}
}
