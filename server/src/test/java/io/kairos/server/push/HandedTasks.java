package io.kairos.server.push;

import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.PoolName;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TraceContext;
import io.kairos.engine.task.Answer;
import io.kairos.engine.task.HeartbeatResult;
import io.kairos.engine.task.QueueEdge;
import io.kairos.engine.task.Report;
import io.kairos.engine.task.ReportResult;
import io.kairos.engine.task.TaskEdge;
import io.kairos.engine.task.TaskSpec;
import io.kairos.engine.task.Work;
import io.kairos.engine.task.WorkRequest;
import io.kairos.engine.task.port.Beat;
import io.kairos.engine.task.port.CancelResult;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.ListQuery;
import io.kairos.engine.task.port.TaskPage;
import io.kairos.engine.task.port.TaskView;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
  private final Queue<Work> waiting = new ArrayDeque<>();
  private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
  private final BlockingQueue<List<FencedTask>> beats = new LinkedBlockingQueue<>();
  private final BlockingQueue<Duration> longLeases = new LinkedBlockingQueue<>();
  final Map<FencedTask, Beat> verdicts = new ConcurrentHashMap<>();
  private final List<WorkRequest> asked = new ArrayList<>();
  private @Nullable Answer<List<Work>> asker;
  private @Nullable WorkRequest request;
  private long number;

  /** A task for a pool; its id. */
  synchronized TaskId give(PoolName pool, PushRequest what, int attempt, @Nullable String key) {
    TaskId id = new TaskId(new UUID(7, ++number));
    give(
        new Work(
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

  synchronized void give(Work work) {
    waiting.add(work);
    hand();
  }

  private void hand() {
    Answer<List<Work>> to = asker;
    WorkRequest asking = request;
    if (to != null && asking != null && !waiting.isEmpty()) {
      List<Work> some = new ArrayList<>();
      while (some.size() < asking.maxTasks() && !waiting.isEmpty()) {
        some.add(waiting.remove());
      }
      asker = null;
      to.answered(some);
    }
  }

  Report report() throws InterruptedException {
    Report report = reports.poll(20, TimeUnit.SECONDS);
    if (report == null) {
      throw new AssertionError("nothing was reported");
    }
    return report;
  }

  Outcome outcome() throws InterruptedException {
    return report().outcome();
  }

  Duration longLease() throws InterruptedException {
    Duration lease = longLeases.poll(20, TimeUnit.SECONDS);
    if (lease == null) {
      throw new AssertionError("no lease was made longer");
    }
    return lease;
  }

  /** All in the first ordinary heartbeat that this task is in. */
  List<FencedTask> beatsWith(TaskId id) throws InterruptedException {
    while (true) {
      List<FencedTask> beat = beats.poll(20, TimeUnit.SECONDS);
      if (beat == null) {
        throw new AssertionError("no heartbeat came");
      }
      if (beat.stream().anyMatch(task -> task.id().equals(id))) {
        return beat;
      }
    }
  }

  synchronized boolean isAsked() {
    return asker != null;
  }

  synchronized int askedFor() {
    return asked.getLast().maxTasks();
  }

  @Override
  public synchronized Waiting nextWork(WorkRequest wanted, Answer<List<Work>> answer) {
    asked.add(wanted);
    asker = answer;
    request = wanted;
    hand();
    return this::end;
  }

  private synchronized void end() {
    Answer<List<Work>> to = asker;
    asker = null;
    if (to != null) {
      to.answered(List.of());
    }
  }

  @Override
  public void leave(String worker) {
    end();
  }

  @Override
  public boolean heartbeat(
      List<FencedTask> processing, Duration lease, Answer<List<HeartbeatResult>> answer) {
    if (lease.equals(lease())) {
      beats.add(processing);
    } else {
      longLeases.add(lease);
    }
    answer.answered(
        processing.stream()
            .map(task -> new HeartbeatResult(verdicts.getOrDefault(task, Beat.EXTENDED), null))
            .toList());
    return true;
  }

  @Override
  public boolean report(List<Report> given, Answer<List<ReportResult>> answer) {
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
  public boolean schedule(List<TaskSpec> tasks, Answer<InsertResult> answer) {
    throw new UnsupportedOperationException();
  }

  @Override
  public QueueEdge queues() {
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
  public Optional<TaskView> find(TaskId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TaskPage list(ListQuery query) {
    throw new UnsupportedOperationException();
  }
}
