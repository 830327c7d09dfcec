package io.kairos.engine.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.task.TaskInlet;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.trace.RunSpans.RunSpan;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tasks and messages of the decisions of one call of the store, and brings the tasks into
 * this node's memory where workers wait for them. One object serves one call.
 */
final class RunCreation {
  /** Header of messages with the execution id, added to the headers of the target. */
  static final String EXECUTION_ID = "kairos-execution-id";

  /** Prefix of the ordering key under which runs follow each other. */
  private static final String KEY_PREFIX = "schedule:";

  private final TaskInlet inlet;
  private final SchedulePorts ports;
  private final List<ArrivingTask> arrivals = new ArrayList<>();
  private final Map<TaskId, RunSpan> spans = new HashMap<>();
  private long firstSpanNanos;
  private int runs;
  private long bytes;

  RunCreation(TaskInlet inlet, SchedulePorts ports) {
    this.inlet = inlet;
    this.ports = ports;
  }

  /**
   * Makes the runs of a decision.
   *
   * @param due the schedule whose target gets the runs
   * @param overlap the overlap policy of the decision
   * @param remove true to remove the schedule itself
   */
  ScheduleWrite write(
      DueSchedule due,
      ScheduleDecision verdict,
      OverlapPolicy overlap,
      Instant now,
      boolean remove) {
    List<ArrivingTask> tasks = new ArrayList<>();
    List<GraphEdge> edges = new ArrayList<>();
    List<DelayedMessage> messages = new ArrayList<>();
    ScheduleDefinition definition = due.schedule().definition();
    for (LedgerEntry entry : verdict.entries()) {
      TaskId run = entry.run();
      Instant runAt = entry.runAt();
      if (run != null && runAt != null) {
        runs += definition.tasks();
        bytes += definition.bytes();
        TraceContext trace = trace(due.schedule(), run, entry, now);
        switch (definition.target()) {
          case ScheduleTarget.Handler handler -> {
            ArrivingTask task = task(due, handler, overlap, entry, now, trace);
            arrivals.add(task); // before the next run, which may fail: the room must be given back
            tasks.add(task);
            if (definition.tasks() > 1) {
              RunSteps steps = RunSteps.of(due, entry, trace);
              arrivals.addAll(steps.tasks());
              tasks.addAll(steps.tasks());
              edges.addAll(steps.edges());
            }
          }
          case ScheduleTarget.Topic topic -> messages.add(message(topic, run, runAt, trace));
        }
      }
    }
    boolean isLookedAt = !verdict.after().progress().equals(due.schedule().progress());
    return new ScheduleWrite(
        verdict,
        tasks,
        edges,
        overlap.inTurn(),
        messages,
        isLookedAt ? ports.timeZoneRules() : null,
        remove);
  }

  /** Begins the trace of a run; null for a run without one. */
  private @Nullable TraceContext trace(
      Schedule schedule, TaskId run, LedgerEntry entry, Instant now) {
    RunSpan span = ports.spans().firing(schedule.name(), entry.fireAt(), run, EpochMicros.of(now));
    if (span == null) {
      return null;
    }
    if (spans.isEmpty()) {
      firstSpanNanos = ports.monotonic().nanos();
    }
    spans.put(run, span);
    return span.context();
  }

  /** The payload of a run; a request to a pool gets headers with schedule and fire time. */
  static byte[] payload(DueSchedule due, ScheduleTarget.Handler target, LedgerEntry entry) {
    if (target.queue().handler() instanceof HandlerName) {
      return target.details().payload();
    }
    return PushRequest.decode(target.details().payload())
        .firedBy(
            new PushRequest.Fire(due.schedule().name().value(), EpochMicros.of(entry.fireAt())))
        .encode();
  }

  private ArrivingTask task(
      DueSchedule due,
      ScheduleTarget.Handler target,
      OverlapPolicy overlap,
      LedgerEntry entry,
      Instant now,
      @Nullable TraceContext trace) {
    Instant runAt = requireNonNull(entry.runAt());
    ScheduleDefinition definition = due.schedule().definition();
    Duration deadline = definition.policies().deadline();
    Instant counted = runAt.isAfter(now) ? runAt : now;
    NewTask task =
        new NewTask(
            requireNonNull(entry.run()),
            requireNonNull(due.queue(), "a handler without a queue"),
            EpochMicros.of(runAt),
            new TaskDetails(
                payload(due, target, entry),
                target.details().retryPolicy(),
                target.details().executionTimeout(),
                key(due.schedule(), target, overlap),
                target.details().collection(),
                deadline == null ? null : (Long) EpochMicros.of(counted.plus(deadline)),
                trace,
                target.details().fairness()),
            due.schedule().id());
    return ArrivingTask.withoutIdempotency(task, inlet.reserve(task, EpochMicros.of(now)));
  }

  /** The target's own ordering key, or a key of the schedule if its runs must follow each other. */
  private static @Nullable OrderingKey key(
      Schedule schedule, ScheduleTarget.Handler target, OverlapPolicy overlap) {
    return target.details().key() == null && overlap.inTurn()
        ? new OrderingKey(KEY_PREFIX + schedule.id())
        : target.details().key();
  }

  private static DelayedMessage message(
      ScheduleTarget.Topic target, TaskId run, Instant runAt, @Nullable TraceContext trace) {
    List<MessageHeader> headers = new ArrayList<>(HeaderCodec.decode(target.headers()));
    if (trace != null) {
      headers.removeIf(header -> header.name().equals(TraceContext.HEADER));
      headers.add(
          new MessageHeader(
              TraceContext.HEADER, trace.traceparent().getBytes(StandardCharsets.US_ASCII)));
    }
    headers.add(
        new MessageHeader(EXECUTION_ID, run.toString().getBytes(StandardCharsets.US_ASCII)));
    return new DelayedMessage(
        target.route(),
        new MessageId(run.toString()),
        EpochMicros.of(runAt),
        target.topic(),
        HeaderCodec.encode(headers),
        target.key(),
        target.value());
  }

  int runs() {
    return runs;
  }

  long bytes() {
    return bytes;
  }

  /** Makes the store's call in which the runs are made and stored. */
  <T> T storing(Supplier<T> call) {
    return inlet.storing(call, () -> arrivals);
  }

  /** Takes the stored tasks into memory and gives back the room of the others. */
  void done(FireReceipt fired, Instant now) {
    List<ArrivingTask> stored = new ArrayList<>();
    List<TaskReceipt> receipts = new ArrayList<>();
    Map<TaskId, TaskReceipt> byId = fired.receipts();
    for (ArrivingTask arrival : arrivals) {
      TaskReceipt receipt = byId.get(arrival.task().id());
      if (receipt == null) {
        inlet.notStored(List.of(arrival));
      } else {
        stored.add(arrival);
        receipts.add(receipt);
      }
    }
    if (!stored.isEmpty()) {
      inlet.stored(stored, receipts, EpochMicros.of(now));
    }
    if (!spans.isEmpty()) {
      endSpans(fired, now);
    }
  }

  private void endSpans(FireReceipt fired, Instant now) {
    long tookNanos = ports.monotonic().nanos() - firstSpanNanos;
    long untilMicros = EpochMicros.of(now.plusNanos(tookNanos));
    for (LedgerEntry entry : fired.entries()) {
      RunSpan span = entry.run() == null ? null : spans.get(entry.run());
      if (span != null) {
        span.stored(untilMicros);
      }
    }
  }
}
