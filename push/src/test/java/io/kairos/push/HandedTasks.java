package io.kairos.push;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.BatchEdge;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.QueueEdge;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.HeartbeatFinding;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Hands out tasks that tests give it, and keeps what it is told of them. */
final class HandedTasks implements TaskEdge {
  @GuardedBy("this")
  private final Queue<ClaimedTask> waiting = new ArrayDeque<>();

  private final BlockingQueue<AttemptReport> reports = new LinkedBlockingQueue<>();
  private final BlockingQueue<List<FencedTask>> beats = new LinkedBlockingQueue<>();
  private final BlockingQueue<Duration> longLeases = new LinkedBlockingQueue<>();
  final Map<FencedTask, HeartbeatFinding> verdicts = new ConcurrentHashMap<>();

  @GuardedBy("this")
  private final List<WorkRequest> asked = new ArrayList<>();

  /** The workers that wait, by their names. */
  @GuardedBy("this")
  private final Map<String, Asker> askers = new LinkedHashMap<>();

  private record Asker(WorkRequest request, AnswerCallback<List<ClaimedTask>> answer) {}

  @GuardedBy("this")
  private long number;

  /** A task for a pool; its id. */
  synchronized TaskId give(PoolName pool, PushRequest what, int attempt, @Nullable String key) {
    TaskId id = new TaskId(new UUID(7, ++number));
    give(
        new ClaimedTask(
            new FencedTask(id, attempt),
            new QueueName(pool, QueueName.DEFAULT),
            attempt,
            0,
            TaskDetails.of(what.encode())
                .withKey(key == null ? null : new OrderingKey(key))
                .withTraceContext(
                    new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))));
    return id;
  }

  synchronized void give(ClaimedTask work) {
    waiting.add(work);
    hand();
  }

  @GuardedBy("this")
  private void hand() {
    for (Asker asker : List.copyOf(askers.values())) {
      List<ClaimedTask> some =
          waiting.stream()
              .filter(task -> asker.request.handlers().contains(task.queue().handler()))
              .limit(asker.request.maxTasks())
              .toList();
      if (!some.isEmpty()) {
        waiting.removeAll(some);
        askers.remove(asker.request.worker());
        asker.answer.answered(some);
      }
    }
  }

  private static <T> T next(BlockingQueue<T> queue, String missing) throws InterruptedException {
    return requireNonNull(queue.poll(20, TimeUnit.SECONDS), missing);
  }

  AttemptReport report() throws InterruptedException {
    return next(reports, "nothing was reported");
  }

  AttemptOutcome outcome() throws InterruptedException {
    return report().outcome();
  }

  Duration longLease() throws InterruptedException {
    return next(longLeases, "no lease was made longer");
  }

  /** All in the first ordinary heartbeat that this task is in. */
  List<FencedTask> beatsWith(TaskId id) throws InterruptedException {
    while (true) {
      List<FencedTask> beat = next(beats, "no heartbeat came");
      if (beat.stream().anyMatch(task -> task.id().equals(id))) {
        return beat;
      }
    }
  }

  synchronized boolean isAsked() {
    return !askers.isEmpty();
  }

  synchronized int askedFor() {
    return asked.getLast().maxTasks();
  }

  @Override
  public synchronized Waiting nextWork(
      WorkRequest wanted, AnswerCallback<List<ClaimedTask>> answer) {
    asked.add(wanted);
    askers.put(wanted.worker(), new Asker(wanted, answer));
    hand();
    return () -> leave(wanted.worker());
  }

  @Override
  public synchronized void leave(String worker, @Nullable String caller) {
    Asker left = askers.remove(worker);
    if (left != null) {
      left.answer.answered(List.of());
    }
  }

  @Override
  public Waiting await(TaskId id, String caller, AnswerCallback<Optional<TaskView>> answer) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean renew(List<LeaseRenewal> renewals, AnswerCallback<List<HeartbeatResult>> answer) {
    List<FencedTask> processing = renewals.stream().map(LeaseRenewal::task).toList();
    Duration lease = renewals.getFirst().lease();
    if (lease.equals(lease())) {
      beats.add(processing);
    } else {
      longLeases.add(lease);
    }
    answer.answered(
        processing.stream()
            .map(task ->
                new HeartbeatResult(verdicts.getOrDefault(task, HeartbeatFinding.EXTENDED), null))
            .toList());
    return true;
  }

  @Override
  public boolean report(List<AttemptReport> given, AnswerCallback<List<ReportResult>> answer) {
    reports.addAll(given);
    answer.answered(given.stream().<ReportResult>map(_ -> new ReportResult.Accepted()).toList());
    return true;
  }

  @Override
  public Duration lease() {
    return Duration.ofMillis(4_500);
  }

  @Override
  public Duration heartbeatInterval() {
    return Duration.ofMillis(50);
  }

  @Override
  public boolean schedule(List<TaskSpec> tasks, AnswerCallback<InsertResult> answer) {
    throw new UnsupportedOperationException();
  }

  @Override
  public QueueEdge queues() {
    throw new UnsupportedOperationException();
  }

  @Override
  public BatchEdge batches() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CancelResult cancel(TaskId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean reschedule(TaskId id, long dueMicros) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ChangeResult change(ChangeRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<TaskView> find(TaskId id, boolean withPayload) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TaskListing list(ListQuery query) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<TaskId, QueueName> queuesOf(Collection<TaskId> ids) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TaskGraphView graph(TaskId id, int maxTasks, int maxEdges) {
    throw new UnsupportedOperationException();
  }

  @Override
  public UnfinishedTasks unfinishedFrom(TaskId id, int limit) {
    throw new UnsupportedOperationException();
  }
}
