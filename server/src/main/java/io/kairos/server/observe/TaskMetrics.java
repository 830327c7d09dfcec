package io.kairos.server.observe;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.cluster.AttemptCounts;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.WorkCounts;
import io.kairos.engine.loop.Step;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.operator.HandlerBacklog;
import io.kairos.engine.task.setup.TaskEvents;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of tasks, and logs of suspected workers and nodes. Task ids are not labels, and handlers
 * only within the bound of {@link QueueMeters}, because their number has no bound.
 */
public final class TaskMetrics implements TaskEvents {
  private static final Logger LOG = LoggerFactory.getLogger(TaskMetrics.class);
  private static final int IDS_SHOWN = 10;

  private static final String TASKS = "tasks";
  private static final double NANOS_PER_SECOND = 1e9;

  /** Of the turns of {@link #watch}, one in so many asks the store: once in a minute. */
  private static final int TURNS_PER_COUNT = 12;

  private final RefusedWrites writes;
  private final Consumer<List<HeldAttempt>> lapses;
  private final MeterFactory meters;
  private final QueueMeters queues;
  private final HandlerMeters handlers;
  private final LimitMeters limits;
  private final Counter accepted;
  private final Counter enqueuedAtOnce;
  private final Counter retried;
  private final Counter givenBack;
  private final Counter snoozed;
  private final Counter heldBack;
  private final Counter refused;
  private final Counter lapsedLeases;
  private final Counter lapsedQueues;
  private final DistributionSummary lateness;
  private final DistributionSummary stored;
  private final DistributionSummary notStored;
  private final DistributionSummary persisting;
  private final MeterFactory.Kinds<TaskState> finished;
  private final WorkCounts period = new WorkCounts();
  private final AttemptCounts attempts = new AttemptCounts();
  private final AtomicLong failedInPeriod = new AtomicLong();
  private final AtomicLong givenUpInPeriod = new AtomicLong();
  private final AtomicLong lapsedInPeriod = new AtomicLong();
  private int turns;
  private volatile double stale = Double.NaN;

  /** At the last count; null for none. */
  private volatile @Nullable Duration oldestDue;

  /**
   * @param writes is told when the store takes no tasks in
   * @param lapses is told of attempts that were taken from their holders
   */
  public TaskMetrics(
      MeterRegistry registry, RefusedWrites writes, Consumer<List<HeldAttempt>> lapses) {
    this.writes = writes;
    this.lapses = lapses;
    meters = new MeterFactory(registry);
    queues = new QueueMeters(registry);
    handlers = new HandlerMeters(registry);
    limits = new LimitMeters(registry);
    accepted = meters.counter("kairos.task.accepted", "Tasks stored");
    enqueuedAtOnce =
        meters.counter("kairos.task.enqueued.at.once", "Of these, enqueued by the same write");
    retried = meters.counter("kairos.task.retried", "Attempts that failed and will be repeated");
    givenBack =
        meters.counter("kairos.task.given.back", "Claimed tasks that workers did not begin");
    snoozed = meters.counter("kairos.task.snoozed", "Attempts that put their task off");
    heldBack =
        meters.counter(
            "kairos.task.held.back", "Times that a limit of a queue let a task not begin");
    refused = meters.counter("kairos.lease.fenced", "Results and heartbeats with an old fence");
    lapsedLeases = lapsed("worker");
    lapsedQueues = lapsed("node");
    lateness =
        meters.seconds("kairos.task.lateness", "From the time of an attempt to its hand-out");
    stored = scheduling("stored");
    notStored = scheduling("refused");
    persisting =
        meters.seconds("kairos.task.persist", "Requests to the store to take in new tasks");
    meters.gauge(
        "kairos.task.stale",
        "Tasks of all nodes that are overdue by five minutes and not begun",
        () -> stale);
    finished =
        meters.counters(
            Arrays.stream(TaskState.values()).filter(TaskState::isFinished).toList(),
            "kairos.task.ended",
            "Tasks that ended",
            "outcome",
            MeterFactory::word);
  }

  private DistributionSummary scheduling(String outcome) {
    return meters.seconds(
        "kairos.task.schedule",
        "From the arrival of a call that schedules tasks to its answer",
        "outcome",
        outcome);
  }

  private Counter lapsed(String holder) {
    return meters.counter(
        "kairos.lease.expired",
        "Tasks taken from holders that were not heard of in time",
        "holder",
        holder);
  }

  /**
   * Registers gauges over the node's present state.
   *
   * @return a step to run on a thread of its own
   */
  public Step watch(TaskNode node) {
    meters.gauge("kairos.task.queued", "Enqueued tasks in memory", node::enqueued);
    meters.gauge("kairos.worker.waiting", "Requests for work that wait here", node::waitingWorkers);
    return new RegularStep(
        "observe-tasks",
        () -> {
          queues.turn(node.enqueuedByQueue(), node.queues().limits());
          onceInAMinute(() -> {
            stale = node.staleTasks();
            List<HandlerBacklog> backlogs = node.backlogs(HandlerMeters.MOST);
            handlers.turn(backlogs);
            limits.turn(node.queues().keyLimits().keyLimits());
            oldestDue = oldest(backlogs);
          });
        });
  }

  /** Of handlers that are not paused; null for none. */
  private static @Nullable Duration oldest(List<HandlerBacklog> backlogs) {
    return backlogs.stream()
        .filter(backlog -> !backlog.isPaused() && !backlog.oldest().isZero())
        .map(HandlerBacklog::oldest)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  /** The counts since the last call. Called by one thread. */
  public PeriodFigures takeFigures() {
    return PeriodFigures.ofTasks(
        period.take(oldestDue),
        failedInPeriod.getAndSet(0),
        givenUpInPeriod.getAndSet(0),
        lapsedInPeriod.getAndSet(0));
  }

  /** The attempts since the last call, by handler. Called by one thread. */
  public DetailFigures takeDetails() {
    return new DetailFigures(attempts.take(), Map.of());
  }

  /** Called by one thread, at each turn. */
  void onceInAMinute(Runnable count) {
    if (turns++ % TURNS_PER_COUNT == 0) {
      count.run();
    }
  }

  @Override
  public void scheduled(boolean isStored, long tookNanos) {
    (isStored ? stored : notStored).record(tookNanos / NANOS_PER_SECOND);
  }

  @Override
  public void persisted(long tookNanos) {
    persisting.record(tookNanos / NANOS_PER_SECOND);
  }

  @Override
  public void performed(QueueName queue, long tookMicros, boolean isFailed) {
    queues.performed(queue, tookMicros, isFailed);
    attempts.ended(queue.handler(), isFailed);
  }

  @Override
  public void accepted(int tasks, int enqueued) {
    accepted.increment(tasks);
    period.accepted(tasks);
    enqueuedAtOnce.increment(enqueued);
    writes.accepted(TASKS);
  }

  @Override
  public void notAccepted(String why) {
    writes.refused(TASKS, why);
  }

  @Override
  public void started(QueueName queue, long latenessMicros) {
    queues.started(queue);
    attempts.begun(queue.handler());
    period.begun();
    period.late(latenessMicros);
    lateness.record(Math.max(0, latenessMicros) / MeterFactory.MICROS_PER_SECOND);
  }

  @Override
  public void finished(TaskState state) {
    finished.increment(state);
    period.ended();
    if (state == TaskState.DEAD || state == TaskState.FAILED) {
      failedInPeriod.incrementAndGet();
      givenUpInPeriod.incrementAndGet();
    }
  }

  @Override
  public void retried() {
    retried.increment();
    failedInPeriod.incrementAndGet();
  }

  @Override
  public void heldBack(int tasks) {
    heldBack.increment(tasks);
  }

  @Override
  public void givenBack() {
    givenBack.increment();
  }

  @Override
  public void snoozed() {
    snoozed.increment();
  }

  @Override
  public void refused() {
    refused.increment();
  }

  @Override
  public void lapsed(List<HeldAttempt> attempts) {
    lapsedInPeriod.addAndGet(attempts.size());
    lapses.accept(attempts);
    Map<Holder, List<HeldAttempt>> byHolder =
        attempts.stream()
            .collect(
                Collectors.groupingBy(attempt -> new Holder(attempt.state(), attempt.holder())));
    byHolder.forEach((holder, tasks) -> {
      boolean isWorker = holder.state == TaskState.PROCESSING;
      (isWorker ? lapsedLeases : lapsedQueues).increment(tasks.size());
      LOG.atWarn()
          .addKeyValue(isWorker ? "worker" : "node", holder.name)
          .addKeyValue("count", tasks.size())
          .addKeyValue("first", tasks.stream().limit(IDS_SHOWN).map(TaskMetrics::id).toList())
          .log("not heard of in time and suspected to have failed; its tasks go to others");
    });
  }

  private record Holder(TaskState state, String name) {}

  private static TaskId id(HeldAttempt attempt) {
    return attempt.task().id();
  }
}
