package io.kairos.edge.task;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Gate;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.KeyPolicy;
import io.kairos.api.v1.Queue;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.OrderingKeyPolicy.Rate;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.task.port.operator.HandlerCounts;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskPause.Closed;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Writes handlers, queues and pauses as API messages. */
final class QueueAnswers {
  /**
   * A handler has a worker if work was asked for so recently; nodes record it every few seconds.
   */
  private static final Duration LATELY = Duration.ofSeconds(20);

  static final WireEnum<io.kairos.domain.task.OrderingKeyPolicy.OnDead, KeyPolicy.OnDead> ON_DEAD =
      new WireEnum<>(io.kairos.domain.task.OrderingKeyPolicy.OnDead.class, KeyPolicy.OnDead.class);
  static final WireEnum<io.kairos.engine.task.port.operator.TaskPause.Mode, Gate.Mode> GATE_MODES =
      new WireEnum<>(io.kairos.engine.task.port.operator.TaskPause.Mode.class, Gate.Mode.class);

  private QueueAnswers() {}

  static Handler handler(
      HandlerCounts numbers, Map<QueueName, QueueUse> limits, List<Closed> gates, Instant now) {
    Handler.Builder handler =
        Handler.newBuilder()
            .setName(numbers.handler().wireName())
            .setWaiting(numbers.waiting())
            .setEnqueued(numbers.enqueued())
            .setProcessing(numbers.processing())
            .setBlocked(numbers.blocked())
            .setPaused(numbers.paused())
            .setDead(numbers.dead())
            .setFailed(numbers.failed());
    Instant askedAt = numbers.askedAt();
    if (askedAt != null) {
      handler.setAskedAt(ProtoTime.of(askedAt)).setHasWorker(askedAt.plus(LATELY).isAfter(now));
    }
    limits.entrySet().stream()
        .filter(entry -> entry.getKey().handler().equals(numbers.handler()))
        .sorted(Comparator.comparingInt(entry -> -entry.getKey().priority()))
        .forEach(entry -> handler.addLimitedQueues(queue(entry.getKey(), entry.getValue())));
    gates.stream()
        .filter(closed -> closed.gate().handler().equals(numbers.handler()))
        .forEach(closed -> handler.addGates(gate(closed)));
    return handler.build();
  }

  static Handler with(StoredHandlerSettings settings, Handler handler) {
    Handler.Builder whole =
        handler.toBuilder()
            .setRetryPolicy(TaskAnswers.policy(settings.retryPolicy()))
            .setKeyPolicy(policy(settings.keyPolicy()));
    Long maxUnfinished = settings.maxUnfinished();
    if (maxUnfinished != null) {
      whole.setMaxUnfinished(maxUnfinished);
    }
    return whole.build();
  }

  private static KeyPolicy policy(io.kairos.domain.task.OrderingKeyPolicy policy) {
    KeyPolicy.Builder words = KeyPolicy.newBuilder();
    switch (policy.mode()) {
      case Ordered(var onDead) -> words.setOnDead(ON_DEAD.write(onDead));
      case Parallel(int maxRunning) -> words.setMaxRunning(maxRunning);
    }
    Rate rate = policy.rate();
    return rate == null
        ? words.build()
        : words.setPerSecond(rate.perSecond()).setBurst(rate.burst()).build();
  }

  static Queue queue(QueueName name, QueueUse use) {
    Queue.Builder queue =
        Queue.newBuilder()
            .setHandler(name.handler().wireName())
            .setPriority(name.priority())
            .setRunning(use.running());
    Integer maxRunning = use.limit().maxRunning();
    if (maxRunning != null) {
      queue.setMaxRunning(maxRunning);
    }
    Double perSecond = use.limit().perSecond();
    if (perSecond != null) {
      queue.setPerSecond(perSecond);
    }
    Integer burst = use.limit().burst();
    if (burst != null) {
      queue.setBurst(burst);
    }
    return queue.build();
  }

  static Gate gate(Closed closed) {
    return gate(closed.gate()).toBuilder().setSince(ProtoTime.of(closed.since())).build();
  }

  static Gate gate(io.kairos.engine.task.port.operator.TaskPause gate) {
    Gate.Builder words =
        Gate.newBuilder()
            .setHandler(gate.handler().wireName())
            .setMode(GATE_MODES.write(gate.mode()))
            .setNote(gate.note());
    if (gate.collection() != null) {
      words.setCollection(gate.collection().value());
    }
    Instant until = gate.until();
    if (until != null) {
      words.setUntil(ProtoTime.of(until));
    }
    return words.build();
  }
}
