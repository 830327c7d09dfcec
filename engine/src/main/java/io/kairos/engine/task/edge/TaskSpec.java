package io.kairos.engine.task.edge;

import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.graph.TaskGraph;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task to be scheduled, checked by the edge that received it.
 *
 * @param dueMicros the earliest instant at which it may run, microseconds since 1970
 * @param idempotency null when it may be scheduled twice
 * @param maker the caller whom a new queue is charged to; null for no caller
 * @param after the tasks that it waits for, those of the same call by their index; the tasks of a
 *     call have no cycle
 * @param batch the batch that it joins; null for none
 */
public record TaskSpec(
    QueueName queue,
    long dueMicros,
    TaskDetails details,
    @Nullable TaskIdempotency idempotency,
    @Nullable QueueMaker maker,
    List<After> after,
    @Nullable BatchId batch) {
  /** A task, or a batch, that another task waits for. */
  public record After(TaskGraph.Predecessor predecessor, OnFailure onFailure) {}

  public TaskSpec {
    after = List.copyOf(after);
  }

  /** Makes a task that waits for no others. */
  public TaskSpec(
      QueueName queue,
      long dueMicros,
      TaskDetails details,
      @Nullable TaskIdempotency idempotency,
      @Nullable QueueMaker maker) {
    this(queue, dueMicros, details, idempotency, maker, List.of(), null);
  }

  /** This task, waiting for others. */
  public TaskSpec after(List<After> others) {
    return new TaskSpec(queue, dueMicros, details, idempotency, maker, others, batch);
  }

  /** This task, as one of a batch. */
  public TaskSpec inBatch(@Nullable BatchId other) {
    return new TaskSpec(queue, dueMicros, details, idempotency, maker, after, other);
  }

  /**
   * The graph of the tasks of one call. Its edges are in the order of the tasks, those to one task
   * in the order of {@link #after}.
   */
  public static TaskGraph graph(List<TaskSpec> tasks) {
    List<TaskGraph.Edge> edges = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      for (After after : tasks.get(i).after) {
        edges.add(new TaskGraph.Edge(after.predecessor(), i, after.onFailure()));
      }
    }
    return new TaskGraph(tasks.size(), edges);
  }

  /** The name of the caller who submits the task; null for none. */
  public @Nullable String submittedBy() {
    return maker == null ? null : maker.callerName();
  }

  /** Makes a task whose new queue is charged to no caller. */
  public TaskSpec(
      QueueName queue, long dueMicros, TaskDetails details, @Nullable TaskIdempotency idempotency) {
    this(queue, dueMicros, details, idempotency, null);
  }
}
