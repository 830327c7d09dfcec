package io.kairos.server.edge.task;

import io.kairos.api.v1.Gate;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.KeyPolicy;
import io.kairos.api.v1.Queue;
import io.kairos.domain.task.KeyPolicy.Ordered;
import io.kairos.domain.task.KeyPolicy.Parallel;
import io.kairos.domain.task.KeyPolicy.Rate;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Gate.Closed;
import io.kairos.engine.task.port.HandlerNumbers;
import io.kairos.engine.task.port.HandlerSettings;
import io.kairos.engine.task.port.QueueUse;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What operators are told, in the words of the wire. */
final class QueueAnswers {
  /** Nodes note every few seconds what is asked for. */
  private static final Duration LATELY = Duration.ofSeconds(20);

  private QueueAnswers() {}

  static Handler handler(
      HandlerNumbers numbers, Map<QueueName, QueueUse> limits, List<Closed> gates, Instant now) {
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
      handler
          .setAskedAt(TaskAnswers.timestamp(EpochMicros.of(askedAt)))
          .setHasWorker(askedAt.plus(LATELY).isAfter(now));
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

  static Handler with(HandlerSettings settings, Handler handler) {
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

  private static KeyPolicy policy(io.kairos.domain.task.KeyPolicy policy) {
    KeyPolicy.Builder words = KeyPolicy.newBuilder();
    switch (policy.mode()) {
      case Ordered(var onDead) ->
          words.setOnDead(
              switch (onDead) {
                case PARK -> KeyPolicy.OnDead.PARK;
                case BLOCK -> KeyPolicy.OnDead.BLOCK;
              });
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
    return gate(closed.gate()).toBuilder()
        .setSince(TaskAnswers.timestamp(EpochMicros.of(closed.since())))
        .build();
  }

  static Gate gate(io.kairos.engine.task.port.Gate gate) {
    Gate.Builder words =
        Gate.newBuilder()
            .setHandler(gate.handler().wireName())
            .setMode(
                switch (gate.mode()) {
                  case PAUSE -> Gate.Mode.PAUSE;
                  case DROP -> Gate.Mode.DROP;
                })
            .setNote(gate.note());
    if (gate.collection() != null) {
      words.setCollection(gate.collection().value());
    }
    Instant until = gate.until();
    if (until != null) {
      words.setUntil(TaskAnswers.timestamp(EpochMicros.of(until)));
    }
    return words.build();
  }
}
