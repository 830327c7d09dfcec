package io.kairos.engine.task.edge;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.ChangeRequest;
import io.kairos.engine.task.port.operator.ChangeResult;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.port.operator.UnfinishedTasks;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node's task calls for its edges: those of applications and of workers. Thread-safe. Requests
 * with an {@link AnswerCallback} never block: many of them share one statement of the store. Calls
 * that return a value ask the store on the caller's thread and throw {@link
 * io.kairos.engine.node.StoreUnavailable} when the store does not answer.
 */
public interface TaskEdge {
  /**
   * Accepts tasks durably, all or none. The answer has the receipts of the tasks, in order, or the
   * reason why none was accepted.
   *
   * @return false when too many tasks wait for the store already: nothing has happened, and the
   *     caller should retry later
   */
  boolean schedule(List<TaskSpec> tasks, AnswerCallback<InsertResult> answer);

  /**
   * Waits for tasks. The answer comes when tasks were claimed for the worker.
   *
   * @return ends the wait, which is then answered with the tasks claimed so far, perhaps none
   */
  Waiting nextWork(WorkRequest request, AnswerCallback<List<ClaimedTask>> answer);

  /** A waiting worker or caller. */
  interface Waiting {
    /** Ends the wait. Does nothing when the wait has been answered. */
    void end();
  }

  /**
   * Waits until a task has ended. The answer has the task, without payload, or is empty when the
   * wait was ended. A task that ends on this node answers at once, another one within the poll
   * interval. The wait of an unknown task, or of one that is pruned meanwhile, lasts until it is
   * ended.
   *
   * @param caller whose wait it is: one may have a bounded number of them
   * @return ends the wait
   * @throws TooManyAwaits when the node, or this caller, waits for as many tasks as it may
   */
  Waiting await(TaskId id, String caller, AnswerCallback<Optional<TaskView>> answer);

  /** Ends the waits on this node of the worker with this name, of no caller. */
  default void leave(String worker) {
    leave(worker, null);
  }

  /**
   * Ends the waits on this node of the worker with this name.
   *
   * @param caller the caller of the API whose worker it is; null for none. Waits of others go on
   */
  void leave(String worker, @Nullable String caller);

  /** Renews leases; the answer is in order. False when too many heartbeats wait already. */
  default boolean heartbeat(
      List<FencedTask> processing, AnswerCallback<List<HeartbeatResult>> answer) {
    return heartbeat(processing, lease(), answer);
  }

  /**
   * Renews leases with another length, for tasks that go on without heartbeats. A later ordinary
   * heartbeat does not shorten such a lease. The answer is in order. False when too many heartbeats
   * wait already.
   */
  default boolean heartbeat(
      List<FencedTask> processing, Duration lease, AnswerCallback<List<HeartbeatResult>> answer) {
    return renew(processing.stream().map(task -> new LeaseRenewal(task, lease)).toList(), answer);
  }

  /**
   * Renews leases, for callers of the API and with what workers say of their progress; tasks that a
   * worker of another caller has claimed are lost. The answer is in order. False when too many
   * heartbeats wait already.
   */
  boolean renew(List<LeaseRenewal> renewals, AnswerCallback<List<HeartbeatResult>> answer);

  /** Ends attempts; the answer is in order. False when too many reports wait already. */
  boolean report(List<AttemptReport> reports, AnswerCallback<List<ReportResult>> answer);

  /**
   * Gives back tasks that were claimed for a worker that could not be reached. If this call is
   * lost, the leases lapse.
   */
  default void giveBack(List<ClaimedTask> work) {
    if (work.isEmpty()) {
      return;
    }
    boolean _ =
        report(
            work.stream()
                .map(one -> new AttemptReport(one.task(), new AttemptOutcome.NotBegun()))
                .toList(),
            AnswerCallback.of(_ -> {}, _ -> {}));
  }

  /** How long a claim or a heartbeat keeps a task for a worker. */
  Duration lease();

  /** The interval at which workers should send heartbeats. */
  Duration heartbeatInterval();

  /** The calls for operators. */
  QueueEdge queues();

  /** The calls for batches. */
  BatchEdge batches();

  CancelResult cancel(TaskId id);

  /**
   * Gives a task that is not being performed another due time.
   *
   * @return false when it is being performed, has ended, or is unknown
   */
  boolean reschedule(TaskId id, long dueMicros);

  /** Changes many tasks, each as {@link #cancel} or {@link #reschedule} would. */
  ChangeResult change(ChangeRequest request);

  default Optional<TaskView> find(TaskId id) {
    return find(id, true);
  }

  /**
   * Shows a task.
   *
   * @param withPayload false to leave the payload out
   */
  Optional<TaskView> find(TaskId id, boolean withPayload);

  TaskListing list(ListQuery query);

  /**
   * The queues of tasks; tasks that are not known are absent. Of a batch, a queue of its handler.
   */
  Map<TaskId, QueueName> queuesOf(Collection<TaskId> ids);

  /**
   * Shows the graph to which a task belongs: all tasks that edges lead to, followed both ways.
   *
   * @param maxTasks most tasks
   * @param maxEdges most edges between these tasks
   */
  TaskGraphView graph(TaskId id, int maxTasks, int maxEdges);

  /**
   * Finds what is unfinished of a task and of those that wait for it, directly or through others.
   */
  UnfinishedTasks unfinishedFrom(TaskId id, int limit);
}
