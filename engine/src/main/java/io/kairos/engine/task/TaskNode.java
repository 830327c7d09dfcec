package io.kairos.engine.task;

import io.kairos.domain.task.AttemptEnd;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.StoreUnavailable;
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
import io.kairos.engine.task.memory.TaskQueues;
import io.kairos.engine.task.port.DueNotifier;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.task.port.TaskHolder;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.ChangeRequest;
import io.kairos.engine.task.port.operator.ChangeResult;
import io.kairos.engine.task.port.operator.HandlerBacklog;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.port.operator.UnfinishedTasks;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.engine.trace.SpanPeriod;
import io.kairos.engine.trace.TaskSpans.Accepted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The task part of a node: all roles except the controller and the executors, which are in the
 * client. Frontend, store consumer, queues, and heartbeat and status controller are steps over one
 * store. Production and the simulator assemble it from different ports. The creator drives each of
 * the {@linkplain #activities activities} on a thread of its own and ends with {@link #stop}.
 */
public final class TaskNode implements TaskEdge {
  private static final Duration STOP_LOOKS_EVERY = Duration.ofMillis(10);
  private static final Duration STALE_AFTER = Duration.ofMinutes(5);
  private static final int MOST_STALE = 10_000;

  /** About what an edge to a predecessor takes up while it waits for the store. */
  private static final long BYTES_OF_AN_EDGE = 512;

  private final TaskConfig config;
  private final TaskPorts ports;
  private final TaskQueues queues;
  private final StatementBatcher<List<TaskSpec>, InsertResult> schedule;
  private final StatementBatcher<List<AttemptReport>, List<ReportResult>> report;
  private final StatementBatcher<List<LeaseRenewal>, List<HeartbeatResult>> heartbeat;
  private final TaskAwaits awaits;
  private final QueueControl control;
  private final BatchEdge batches;
  private final TaskInlet inlet;
  private final Wakeup stopping;
  private final List<StepActivity> activities = new ArrayList<>();

  public TaskNode(TaskConfig config, TaskPorts ports) {
    this.config = config;
    this.ports = ports;
    this.stopping = ports.wakeups().create();
    Wakeup claim = ports.wakeups().create();
    Wakeup consume = ports.wakeups().create();
    this.batches = new BatchDesk(ports.tasks(), ports.newTaskId());
    this.queues = new TaskQueues(config, ports.clock(), ports.monotonic(), claim, consume);
    QueueNumbers numbers =
        new QueueNumbers(ports.tasks(), queues, ports.monotonic(), config.pollInterval());
    Wakeup ring = ports.wakeups().create();
    NotifyStep notifying = new NotifyStep(ports, ring);
    this.inlet = new TaskInlet(config, ports, numbers, queues, notifying::ask);
    TaskAcceptance acceptance =
        new TaskAcceptance(config, ports, numbers, inlet, new ForeignLocks(ports.monotonic()));
    Consumer<Set<QueueId>> mayBegin = mayBegin(notifying);
    Wakeup await = ports.wakeups().create();
    this.awaits = new TaskAwaits(ports.tasks(), ports.monotonic(), config.pollInterval(), await);
    Wakeup follow = ports.wakeups().create();
    SettlementBatches settling =
        new SettlementBatches(
            config, ports, queues, this::ended, awaits::mayHaveEnded, mayBegin, follow::signal);
    Wakeup accept = ports.wakeups().create();
    this.schedule =
        new StatementBatcher<>(
            StatementBatcher.Bounds.of(config),
            List::size,
            TaskNode::bytes,
            acceptance::accept,
            accept);
    Wakeup settle = ports.wakeups().create();
    this.report = StatementBatcher.ofItems(config, AttemptReport::bytes, settling::settle, settle);
    Wakeup beat = ports.wakeups().create();
    this.heartbeat = StatementBatcher.ofItems(config, LeaseRenewal::bytes, this::beat, beat);
    add("accept-tasks", schedule::runOnce, accept);
    add("settle-tasks", report::runOnce, settle);
    add("extend-leases", heartbeat::runOnce, beat);
    add("await-tasks", awaits::runOnce, await);
    add("claim-tasks", new ClaimTasksStep(config, ports, queues, mayBegin)::runOnce, claim);
    look("consume-tasks", new ConsumeStep(config, ports, numbers, queues)::runOnce, consume);
    Runnable returned =
        () -> {
          consume.signal();
          notifying.ask();
        };
    look(
        "reap-tasks",
        new ReapStep(config, ports, this::ended, mayBegin, returned)::runOnce,
        ports.wakeups().create());
    look("prune-tasks", new PruneStep(config, ports)::runOnce, ports.wakeups().create());
    look("sweep-keys", new SweepKeysStep(config, ports)::runOnce, ports.wakeups().create());
    look(
        "follow-ends",
        new FollowEndsStep(config, ports, queues, settling::next, returned)::runOnce,
        follow);
    look("sweep-edges", new SweepEdgesStep(config, ports)::runOnce, ports.wakeups().create());
    Wakeup tend = ports.wakeups().create();
    look("tend-queues", new PauseUpkeepStep(config, ports, queues)::runOnce, tend);
    Wakeup sweep = ports.wakeups().create();
    look("wake-limited", new KeyLimitsStep(config, ports, mayBegin)::runOnce, sweep);
    this.control = new QueueControl(ports.tasks(), queues, tend, consume, sweep);
    if (!ports.notifier().equals(DueNotifier.NONE)) {
      add("ring", notifying::runOnce, ring);
      add("listen", new ListenStep(ports, numbers, consume)::runOnce, ports.wakeups().create());
    }
  }

  /**
   * Lets tasks begin here, and notifies other nodes of queues that no worker of this node asks for.
   */
  private Consumer<Set<QueueId>> mayBegin(NotifyStep notifying) {
    return freed -> {
      if (queues.moreMayBegin(freed)) {
        notifying.ask();
      }
    };
  }

  private static long bytes(List<TaskSpec> tasks) {
    return tasks.stream()
        .mapToLong(task -> task.details().bytes() + task.after().size() * BYTES_OF_AN_EDGE)
        .sum();
  }

  private void add(String name, Supplier<NextRound> round, Wakeup wakeup) {
    activities.add(StepActivity.serving(name, round, wakeup));
  }

  private void look(String name, Supplier<NextRound> round, Wakeup wakeup) {
    activities.add(StepActivity.looking(name, round, wakeup));
  }

  private void ended(AttemptEnd decision) {
    switch (decision) {
      case AttemptEnd.Finish finish -> ports.events().finished(finish.state());
      case AttemptEnd.Retry _ -> ports.events().retried();
      case AttemptEnd.GiveBack _ -> ports.events().givenBack();
      case AttemptEnd.PutOff _ -> ports.events().snoozed();
    }
  }

  /** Renews leases with one statement. Another one finds the holders of lost tasks. */
  private List<HeartbeatResult> beat(List<LeaseRenewal> renewals) {
    List<HeartbeatFinding> beats =
        ports.tasks().heartbeat(renewals, ports.believedMicros(config.lease()));
    Set<TaskId> lost = new HashSet<>();
    for (int i = 0; i < beats.size(); i++) {
      if (beats.get(i) == HeartbeatFinding.LOST) {
        ports.events().refused();
        lost.add(renewals.get(i).task().id());
      }
    }
    Map<TaskId, TaskHolder> holders = holders(lost);
    return IntStream.range(0, beats.size())
        .mapToObj(i ->
            new HeartbeatResult(
                beats.get(i),
                beats.get(i) == HeartbeatFinding.LOST
                    ? holders.get(renewals.get(i).task().id())
                    : null))
        .toList();
  }

  /**
   * The holders of lost tasks; empty when the store does not answer, because the other leases were
   * renewed.
   */
  private Map<TaskId, TaskHolder> holders(Set<TaskId> lost) {
    try {
      return lost.isEmpty() ? Map.of() : ports.tasks().holders(lost);
    } catch (StoreUnavailable e) { // a worker whose other tasks are fine must not count a failure
      return Map.of();
    }
  }

  /** Every step with its wakeup; the caller drives each on a thread of its own. */
  public List<StepActivity> activities() {
    return List.copyOf(activities);
  }

  /**
   * Answers all waiting workers at once, without tasks, and refuses new ones, so that they ask
   * other nodes while this one stops. So it does with callers who wait for tasks to end.
   */
  public void sendWorkersAway() {
    queues.close();
    awaits.close();
  }

  /**
   * Stops gracefully while the activities are still driven: refuses new requests, finishes those
   * that wait for the store, and gives back the tasks in memory. Workers keep the tasks that they
   * perform: any node accepts their heartbeats and results. When the activities are no longer
   * driven, {@link #giveBack} completes the stop.
   *
   * @return true when no request was left waiting
   */
  public boolean stop(Duration atMost) {
    schedule.close();
    report.close();
    heartbeat.close();
    sendWorkersAway();
    long untilNanos = ports.monotonic().nanos() + atMost.toNanos();
    while (!isQuiet() && ports.monotonic().nanos() - untilNanos < 0) {
      stopping.await(STOP_LOOKS_EVERY);
    }
    boolean quiet = isQuiet();
    release(untilNanos);
    return quiet;
  }

  /**
   * Gives back tasks that a round has brought into memory after {@link #stop}. Other nodes may have
   * searched already for tasks of this node, and would find these only after the enqueue timeout.
   */
  public void giveBack(Duration atMost) {
    release(ports.monotonic().nanos() + atMost.toNanos());
  }

  /**
   * Gives tasks back until the time is over; other nodes reap the rest when this node has departed.
   */
  private void release(long untilNanos) {
    List<FencedTask> held = queues.clear().stream().map(EnqueuedTask::task).toList();
    for (int from = 0;
        from < held.size() && ports.monotonic().nanos() - untilNanos < 0;
        from += config.maxBatch()) {
      int to = Math.min(held.size(), from + config.maxBatch());
      ports.tasks().release(held.subList(from, to), config.enqueueTimeout());
    }
  }

  private boolean isQuiet() {
    return schedule.isEmpty() && report.isEmpty() && heartbeat.isEmpty();
  }

  /** The inlet for everything that stores tasks besides this node's frontend. */
  public TaskInlet inlet() {
    return inlet;
  }

  /** Number of tasks in memory, for metrics. */
  public int enqueued() {
    return queues.size();
  }

  /** Number of tasks in memory for each queue that has some, for metrics. */
  public Map<QueueName, Integer> enqueuedByQueue() {
    return queues.sizes();
  }

  /**
   * Number of tasks of all nodes that nobody has begun though their time passed five minutes ago,
   * for metrics; asks the store. Counts at most 10,000 of those that wait, and of those in memory.
   */
  public int staleTasks() {
    return ports.tasks().stale(STALE_AFTER, MOST_STALE);
  }

  /**
   * What the handlers have not done, of all nodes, for metrics; asks the store. The handlers with
   * the oldest due task come first.
   *
   * @param limit most handlers
   */
  public List<HandlerBacklog> backlogs(int limit) {
    return ports.tasks().backlogs(limit);
  }

  /** Number of waiting workers, for metrics. */
  public int waitingWorkers() {
    return queues.waiting();
  }

  @Override
  public boolean schedule(List<TaskSpec> tasks, AnswerCallback<InsertResult> answer) {
    long sinceNanos = ports.monotonic().nanos();
    long sinceMicros = ports.spans().isOn() ? EpochMicros.of(ports.clock().instant()) : 0;
    Consumer<Boolean> answered =
        stored -> ports.events().scheduled(stored, ports.monotonic().nanos() - sinceNanos);
    boolean taken =
        schedule.offer(
            List.copyOf(tasks),
            AnswerCallback.of(
                result -> {
                  answered.accept(result instanceof InsertResult.Stored);
                  trace(tasks, result, sinceMicros);
                  answer.answered(result);
                },
                cause -> {
                  answered.accept(false);
                  answer.failed(cause);
                }));
    if (!taken) {
      answered.accept(false);
    }
    return taken;
  }

  private void trace(List<TaskSpec> tasks, InsertResult result, long sinceMicros) {
    if (ports.spans().isOn() && result instanceof InsertResult.Stored(List<TaskReceipt> receipts)) {
      SpanPeriod during = new SpanPeriod(sinceMicros, EpochMicros.of(ports.clock().instant()));
      for (int i = 0; i < receipts.size(); i++) {
        TaskSpec task = tasks.get(i);
        TraceContext caller = task.details().traceContext();
        if (caller != null && caller.isSampled()) {
          TaskReceipt receipt = receipts.get(i);
          ports
              .spans()
              .accepted(
                  new Accepted(receipt.id(), task.queue(), task.dueMicros(), receipt.duplicate()),
                  caller,
                  during);
        }
      }
    }
  }

  @Override
  public Waiting nextWork(WorkRequest request, AnswerCallback<List<ClaimedTask>> answer) {
    return queues.await(request, answer);
  }

  @Override
  public void leave(String worker, @Nullable String caller) {
    queues.leave(worker, caller);
  }

  @Override
  public Waiting await(TaskId id, String caller, AnswerCallback<Optional<TaskView>> answer) {
    return awaits.await(id, caller, answer);
  }

  @Override
  public boolean renew(List<LeaseRenewal> renewals, AnswerCallback<List<HeartbeatResult>> answer) {
    return heartbeat.offer(List.copyOf(renewals), answer);
  }

  @Override
  public boolean report(List<AttemptReport> reports, AnswerCallback<List<ReportResult>> answer) {
    return report.offer(List.copyOf(reports), answer);
  }

  @Override
  public Duration lease() {
    return config.lease();
  }

  @Override
  public Duration heartbeatInterval() {
    return config.heartbeatInterval();
  }

  @Override
  public QueueEdge queues() {
    return control;
  }

  @Override
  public BatchEdge batches() {
    return batches;
  }

  @Override
  public CancelResult cancel(TaskId id) {
    CancelResult result = ports.tasks().cancel(id);
    awaits.mayHaveEnded(id);
    return result;
  }

  @Override
  public boolean reschedule(TaskId id, long dueMicros) {
    boolean moved = ports.tasks().reschedule(id, dueMicros);
    if (moved) {
      control.consume().signal();
    }
    return moved;
  }

  @Override
  public ChangeResult change(ChangeRequest request) {
    ChangeResult result = ports.tasks().change(request);
    if (!request.isDryRun() && result.count() > 0) {
      control.consume().signal();
    }
    return result;
  }

  @Override
  public Optional<TaskView> find(TaskId id, boolean withPayload) {
    return ports.tasks().find(id, withPayload);
  }

  @Override
  public TaskListing list(ListQuery query) {
    return ports.tasks().list(query);
  }

  @Override
  public Map<TaskId, QueueName> queuesOf(Collection<TaskId> ids) {
    return ports.tasks().queuesOf(ids);
  }

  @Override
  public TaskGraphView graph(TaskId id, int maxTasks, int maxEdges) {
    return ports.tasks().graph(id, maxTasks, maxEdges);
  }

  @Override
  public UnfinishedTasks unfinishedFrom(TaskId id, int limit) {
    return ports.tasks().unfinishedFrom(id, limit);
  }
}
