package io.kairos.testkit.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.StoreUnavailable;
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.Attempt;
import io.kairos.engine.task.port.Beat;
import io.kairos.engine.task.port.CancelResult;
import io.kairos.engine.task.port.Claim;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.Holder;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.ListQuery;
import io.kairos.engine.task.port.Receipt;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.TaskView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The task store in memory, on a clock that is given to it: what the simulator and tests without a
 * database run on. Passes the same contract suite as Postgres. Never unavailable but for an id that
 * is taken: failures are put around it. Thread-safe, one call at a time.
 */
public final class ModelTaskStore implements TaskStore {
  private static final Comparator<TaskRow> ENQUEUE_ORDER =
      Comparator.<TaskRow>comparingLong(row -> row.triggerMicros)
          .thenComparingInt(row -> row.queue().value())
          .thenComparing(TaskRow::id);

  private final InstantSource clock;
  private final Map<QueueName, QueueId> numbers = new LinkedHashMap<>();
  private final Map<QueueId, QueueName> names = new LinkedHashMap<>();
  private final TaskTable tasks = new TaskTable();

  /**
   * @param clock the store's own clock
   */
  public ModelTaskStore(InstantSource clock) {
    this.clock = clock;
  }

  private long now() {
    return EpochMicros.of(clock.instant());
  }

  @Override
  public synchronized Map<QueueName, QueueId> queues(Collection<QueueName> wanted) {
    Map<QueueName, QueueId> found = new HashMap<>();
    for (QueueName name : wanted) {
      QueueId number = numbers.computeIfAbsent(name, _ -> new QueueId(numbers.size() + 1));
      names.put(number, name);
      found.put(name, number);
    }
    return found;
  }

  @Override
  public synchronized Map<QueueId, QueueName> queues() {
    return Map.copyOf(names);
  }

  @Override
  public synchronized List<InsertResult> insert(
      NodeId node, List<InsertRequest> requests, Duration enqueueTimeout) {
    Set<TaskId> seen = new HashSet<>();
    for (InsertRequest request : requests) {
      for (Arrival arrival : request.arrivals()) {
        TaskId id = arrival.task().id();
        if (tasks.live(id) != null || !seen.add(id)) {
          throw new StoreUnavailable("storing tasks failed: " + id + " is taken");
        }
      }
    }
    long now = now();
    return requests.stream()
        .<InsertResult>map(request -> insert(request, node, now, enqueueTimeout))
        .toList();
  }

  private InsertResult insert(
      InsertRequest request, NodeId node, long now, Duration enqueueTimeout) {
    List<Receipt> receipts = new ArrayList<>();
    for (Arrival arrival : request.arrivals()) {
      TaskRow row = new TaskRow(arrival.task(), now);
      if (arrival.onQueue()) {
        row.hold(
            TaskState.ENQUEUED,
            node.toString(),
            Math.max(now, row.dueMicros) + EpochMicros.lengthOf(enqueueTimeout));
      }
      tasks.insert(row);
      receipts.add(new Receipt(row.id(), false, arrival.onQueue()));
    }
    return new InsertResult.Stored(receipts);
  }

  @Override
  public synchronized List<EnqueuedTask> enqueue(EnqueueRequest request) {
    long now = now();
    List<TaskRow> candidates = candidates(request, now + EpochMicros.lengthOf(request.ahead()));
    long bytes = 0;
    Set<QueueId> served = new HashSet<>();
    List<EnqueuedTask> enqueued = new ArrayList<>();
    for (TaskRow row : candidates) {
      bytes += row.payloadBytes();
      boolean isFirst = served.add(row.queue());
      if (isFirst || bytes <= request.maxBytes()) {
        long waitedFor = row.triggerMicros;
        long until = Math.max(now, waitedFor) + EpochMicros.lengthOf(request.enqueueTimeout());
        tasks.change(row, one -> one.hold(TaskState.ENQUEUED, request.node().toString(), until));
        enqueued.add(row.asEnqueued(waitedFor));
      }
    }
    enqueued.sort(
        Comparator.comparingLong(EnqueuedTask::triggerMicros)
            .thenComparing(one -> one.task().id()));
    return enqueued;
  }

  private List<TaskRow> candidates(EnqueueRequest request, long untilMicros) {
    List<TaskRow> candidates = new ArrayList<>();
    request
        .limits()
        .forEach((queue, limit) ->
            tasks.waiting(queue).stream()
                .takeWhile(row -> row.triggerMicros <= untilMicros)
                .limit(Math.max(0, limit))
                .forEach(candidates::add));
    candidates.sort(ENQUEUE_ORDER);
    return candidates;
  }

  @Override
  public synchronized void release(List<FencedTask> enqueued) {
    for (FencedTask task : enqueued) {
      TaskRow row = held(task, TaskState.ENQUEUED);
      if (row != null) {
        giveBack(row);
      }
    }
  }

  /** The live row that carries this fence in this state. */
  private @Nullable TaskRow held(FencedTask task, TaskState as) {
    TaskRow row = tasks.live(task.id());
    return row != null && row.fence == task.fence() && row.state == as ? row : null;
  }

  private void giveBack(TaskRow row) {
    tasks.change(row, one -> one.letGo(one.attempt == 0 ? one.dueMicros : one.triggerMicros));
  }

  @Override
  public synchronized Set<FencedTask> claim(List<Claim> claims, Duration lease) {
    long until = now() + EpochMicros.lengthOf(lease);
    Set<FencedTask> claimed = new HashSet<>();
    for (Claim claim : claims) {
      TaskRow row = held(claim.enqueued(), TaskState.ENQUEUED);
      if (row != null) {
        tasks.change(
            row,
            one -> {
              one.hold(TaskState.PROCESSING, claim.worker(), until);
              one.attempt++;
            });
        claimed.add(claim.enqueued());
      }
    }
    return claimed;
  }

  @Override
  public synchronized List<Beat> heartbeat(List<FencedTask> processing, Duration lease) {
    long until = now() + EpochMicros.lengthOf(lease);
    return processing.stream()
        .map(task -> {
          TaskRow row = held(task, TaskState.PROCESSING);
          if (row == null) {
            return Beat.LOST;
          }
          tasks.change(row, one -> one.triggerMicros = until);
          return row.cancelRequested ? Beat.CANCEL_REQUESTED : Beat.EXTENDED;
        })
        .toList();
  }

  @Override
  public synchronized List<Attempt> attempts(Collection<FencedTask> processing) {
    List<Attempt> attempts = new ArrayList<>();
    for (FencedTask task : processing) {
      TaskRow row = held(task, TaskState.PROCESSING);
      if (row != null) {
        attempts.add(row.asAttempt());
      }
    }
    return attempts;
  }

  @Override
  public synchronized Set<FencedTask> settle(List<Settlement> settlements) {
    long now = now();
    return settlements.stream()
        .filter(settlement -> settle(settlement, now))
        .map(Settlement::task)
        .collect(Collectors.toSet());
  }

  private boolean settle(Settlement settlement, long now) {
    TaskState from =
        settlement instanceof Settlement.Requeue ? TaskState.ENQUEUED : TaskState.PROCESSING;
    TaskRow row = held(settlement.task(), from);
    if (row == null || (settlement.onlyIfLapsed() && row.triggerMicros > now)) {
      return false;
    }
    switch (settlement) {
      case Settlement.Finish finish -> tasks.change(row, one -> finish(one, finish, now));
      case Settlement.Retry retry -> tasks.change(row, one -> retry(one, retry, now));
      case Settlement.Requeue _ -> giveBack(row);
    }
    return true;
  }

  private static void finish(TaskRow row, Settlement.Finish finish, long now) {
    if (finish.state() == TaskState.FAILED || finish.state() == TaskState.DEAD) {
      row.noteFailure(finish.error(), now);
    }
    row.finish(finish.state(), now);
  }

  private static void retry(TaskRow row, Settlement.Retry retry, long now) {
    row.noteFailure(retry.error(), now);
    if (row.cancelRequested) {
      row.finish(TaskState.CANCELLED, now);
    } else {
      row.letGo(now + EpochMicros.lengthOf(retry.delay()));
    }
  }

  @Override
  public synchronized List<Attempt> lapsed(int limit) {
    long now = now();
    return tasks.held().stream()
        .takeWhile(row -> row.triggerMicros <= now)
        .limit(limit)
        .map(TaskRow::asAttempt)
        .toList();
  }

  @Override
  public synchronized int releaseHeldBy(Set<NodeId> departed, int limit) {
    Set<String> holders = departed.stream().map(NodeId::toString).collect(Collectors.toSet());
    List<TaskRow> held =
        tasks.held().stream()
            .filter(row -> row.state == TaskState.ENQUEUED)
            .filter(row -> row.holder != null && holders.contains(row.holder))
            .limit(limit)
            .toList();
    held.forEach(this::giveBack);
    return held.size();
  }

  @Override
  public synchronized Optional<Holder> holder(TaskId id) {
    TaskRow row = tasks.live(id);
    return row == null || row.holder == null
        ? Optional.empty()
        : Optional.of(new Holder(row.holder, row.fence));
  }

  @Override
  public synchronized CancelResult cancel(TaskId id) {
    TaskRow row = tasks.live(id);
    if (row == null) {
      return tasks.finished(id) == null ? CancelResult.UNKNOWN : CancelResult.TOO_LATE;
    }
    if (row.state == TaskState.PROCESSING) {
      row.cancelRequested = true;
      return CancelResult.REQUESTED;
    }
    tasks.change(row, one -> one.finish(TaskState.CANCELLED, now()));
    return CancelResult.CANCELLED;
  }

  @Override
  public synchronized boolean reschedule(TaskId id, long dueMicros) {
    TaskRow row = tasks.live(id);
    if (row == null || row.state == TaskState.PROCESSING) {
      return false;
    }
    tasks.change(
        row,
        one -> {
          one.dueMicros = dueMicros;
          one.letGo(dueMicros);
        });
    return true;
  }

  @Override
  public synchronized Optional<TaskView> find(TaskId id) {
    TaskRow row = tasks.live(id);
    return Optional.ofNullable(row == null ? tasks.finished(id) : row)
        .map(found -> view(found, true));
  }

  @Override
  public synchronized List<TaskView> list(ListQuery query) {
    return tasks.newestFirst(query.before()).stream()
        .filter(row -> query.states().contains(row.state))
        .map(row -> view(row, false))
        .filter(view -> query.handler() == null || query.handler().equals(view.queue().handler()))
        .limit(query.limit())
        .toList();
  }

  private TaskView view(TaskRow row, boolean withPayload) {
    QueueName name = names.get(row.queue());
    if (name == null) {
      throw new IllegalStateException("a task on a queue without a name: " + row.id());
    }
    return row.asView(name, withPayload);
  }

  @Override
  public synchronized int prune(TaskState ended, Duration retention, int limit) {
    if (!ended.isFinished()) {
      throw new IllegalArgumentException(ended + " is not an end");
    }
    return tasks.forget(ended, now() - EpochMicros.lengthOf(retention), limit);
  }
}
