package io.kairos.engine.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.task.port.CancelResult;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.ListQuery;
import io.kairos.engine.task.port.TaskPage;
import io.kairos.engine.task.port.TaskView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a node offers to its edges: ATF's frontend, and its heartbeat and status controller.
 * Thread-safe. The requests with an {@link Answer} never block: many of them share one statement of
 * the store. Those that return a value ask the store on the caller's thread and throw {@link
 * io.kairos.engine.node.StoreUnavailable} when it does not answer.
 */
public interface TaskEdge {
  /**
   * Accepts tasks, all or none; the answer says which tasks stand for them, in order, or why none
   * was taken. What was accepted is durable then.
   *
   * @return false when too much is waiting for the store already: nothing has happened, try again
   *     later
   */
  boolean schedule(List<TaskSpec> tasks, Answer<InsertResult> answer);

  /**
   * Waits for work. The answer comes when there is some; it is never empty.
   *
   * @return to be closed when the worker no longer waits: it is answered at once with what has been
   *     claimed for it, which may be nothing
   */
  Waiting nextWork(WorkRequest request, Answer<List<Work>> answer);

  /** A worker that waits. */
  interface Waiting {
    /** Ends the wait. Harmless when it has been answered. */
    void end();
  }

  /** Ends the waits of the worker of that name on this node. */
  void leave(String worker);

  /** Begins leases anew; the answer is in order. False when too much is waiting already. */
  default boolean heartbeat(List<FencedTask> processing, Answer<List<HeartbeatResult>> answer) {
    return heartbeat(processing, lease(), answer);
  }

  /**
   * The same with a lease of another length, for what goes on without heartbeats. An ordinary one
   * that comes after it does not cut it.
   */
  boolean heartbeat(
      List<FencedTask> processing, Duration lease, Answer<List<HeartbeatResult>> answer);

  /** Ends attempts; the answer is in order. False when too much is waiting already. */
  boolean report(List<Report> reports, Answer<List<ReportResult>> answer);

  /**
   * Gives back what was claimed for a worker that nobody could hand it to. If this is lost, the
   * leases lapse.
   */
  default void giveBack(List<Work> work) {
    if (work.isEmpty()) {
      return;
    }
    boolean _ =
        report(
            work.stream().map(one -> new Report(one.task(), new Outcome.NotBegun())).toList(),
            new Answer<>() {
              @Override
              public void answered(List<ReportResult> results) {}

              @Override
              public void failed(RuntimeException cause) {}
            });
  }

  /** For how long a claim or a heartbeat holds. */
  Duration lease();

  /** How often a worker is to send a heartbeat. */
  Duration heartbeatInterval();

  /** For operators. */
  QueueEdge queues();

  CancelResult cancel(TaskId id);

  /**
   * Gives a task that is not being performed another due time.
   *
   * @return false when it is being performed, has ended, or is unknown
   */
  boolean reschedule(TaskId id, long dueMicros);

  Optional<TaskView> find(TaskId id);

  TaskPage list(ListQuery query);
}
