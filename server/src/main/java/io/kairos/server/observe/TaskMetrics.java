package io.kairos.server.observe;

import static io.kairos.server.observe.Meters.counter;

import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.loop.Step;
import io.kairos.engine.task.TaskEvents;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.task.port.Attempt;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and measures what a node does with tasks, and tells an operator whom it suspects. Task ids
 * are not labels, and handlers only as far as {@link QueueMeters} goes: their number has no bound.
 */
public final class TaskMetrics implements TaskEvents {
  private static final Logger LOG = LoggerFactory.getLogger(TaskMetrics.class);
  private static final int IDS_SHOWN = 10;

  private final MeterRegistry registry;
  private final QueueMeters queues;
  private final Counter accepted;
  private final Counter enqueuedAtOnce;
  private final Counter retried;
  private final Counter givenBack;
  private final Counter heldBack;
  private final Counter refused;
  private final Counter lapsedLeases;
  private final Counter lapsedQueues;
  private final DistributionSummary lateness;
  private final Map<TaskState, Counter> finished = new EnumMap<>(TaskState.class);

  public TaskMetrics(MeterRegistry registry) {
    this.registry = registry;
    queues = new QueueMeters(registry);
    accepted = counter(registry, "kairos.task.accepted", "Tasks stored");
    enqueuedAtOnce =
        counter(registry, "kairos.task.enqueued.at.once", "Of these, enqueued by the same write");
    retried = counter(registry, "kairos.task.retried", "Attempts that failed and will be repeated");
    givenBack =
        counter(registry, "kairos.task.given.back", "Claimed tasks that workers did not begin");
    heldBack =
        counter(
            registry,
            "kairos.task.held.back",
            "Times that a limit of a queue let a task not begin");
    refused = counter(registry, "kairos.lease.fenced", "Results and heartbeats with an old fence");
    lapsedLeases =
        counter(
            registry, "kairos.lease.expired", "Holders not heard of in time", "holder", "worker");
    lapsedQueues =
        counter(registry, "kairos.lease.expired", "Holders not heard of in time", "holder", "node");
    lateness =
        Meters.seconds(
            registry, "kairos.task.lateness", "From the time of an attempt to its hand-out");
    for (TaskState state : TaskState.values()) {
      if (state.isFinished()) {
        finished.put(
            state,
            counter(
                registry,
                "kairos.task.outcome",
                "Tasks that ended",
                "outcome",
                state.name().toLowerCase(Locale.ROOT)));
      }
    }
  }

  /**
   * Shows what the node holds at the moment.
   *
   * @return to be driven, on a thread of its own
   */
  public Step watch(TaskNode node) {
    Gauge.builder("kairos.task.queued", node, TaskNode::enqueued)
        .description("Enqueued tasks in memory")
        .register(registry);
    Gauge.builder("kairos.worker.waiting", node, TaskNode::waitingWorkers)
        .description("Requests for work that wait here")
        .register(registry);
    return new ObserveTasksStep(node, queues);
  }

  @Override
  public void accepted(int tasks, int enqueued) {
    accepted.increment(tasks);
    enqueuedAtOnce.increment(enqueued);
  }

  @Override
  public void started(QueueName queue, long latenessMicros) {
    queues.started(queue);
    lateness.record(Math.max(0, latenessMicros) / Meters.MICROS_PER_SECOND);
  }

  @Override
  public void finished(TaskState state) {
    Counter counter = finished.get(state);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void retried() {
    retried.increment();
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
  public void refused() {
    refused.increment();
  }

  @Override
  public void lapsed(List<Attempt> attempts) {
    Map<Holder, List<Attempt>> byHolder =
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

  private static TaskId id(Attempt attempt) {
    return attempt.task().id();
  }
}
