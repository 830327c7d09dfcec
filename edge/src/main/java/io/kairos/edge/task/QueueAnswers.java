package io.kairos.edge.task;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.KeyPolicy;
import io.kairos.api.v1.ListHandlersRequest;
import io.kairos.api.v1.Pause;
import io.kairos.api.v1.Queue;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.edge.call.EntityTag;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.cluster.DetailFigures.Attempts;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.engine.task.port.operator.HandlerCounts;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskPause.Active;
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

  private static final Attempts NO_ATTEMPTS = new Attempts(0, 0, 0);
  private static final double MINUTE_SECONDS = 60;

  static final WireEnum<io.kairos.domain.task.OrderingKeyPolicy.OnDead, KeyPolicy.OnDead> ON_DEAD =
      new WireEnum<>(io.kairos.domain.task.OrderingKeyPolicy.OnDead.class, KeyPolicy.OnDead.class);
  static final WireEnum<io.kairos.engine.task.port.operator.TaskPause.Mode, Pause.Mode>
      PAUSE_MODES =
          new WireEnum<>(
              io.kairos.engine.task.port.operator.TaskPause.Mode.class, Pause.Mode.class);

  static final WireEnum<HandlerCounts.Counting, ListHandlersRequest.Counting> COUNTINGS =
      new WireEnum<>(HandlerCounts.Counting.class, ListHandlersRequest.Counting.class);

  private QueueAnswers() {}

  /**
   * Writes a handler without its settings.
   *
   * @param attempts of the last minute, by handler
   */
  static Handler.Builder handler(
      HandlerCounts numbers,
      Map<QueueName, QueueUse> limits,
      List<Active> pauses,
      Map<TaskHandler, Attempts> attempts,
      Instant now) {
    Handler.Builder handler =
        Handler.newBuilder()
            .setName(numbers.handler().wireName())
            .setWaiting(numbers.waiting())
            .setEnqueued(numbers.enqueued())
            .setProcessing(numbers.processing())
            .setBlocked(numbers.blocked())
            .setPaused(numbers.paused())
            .setDead(numbers.dead())
            .setFailed(numbers.failed())
            .setCountedTo(numbers.countedTo())
            .setFailedAtLeast(numbers.isFailedAtLeast())
            .setRates(rates(attempts.getOrDefault(numbers.handler(), NO_ATTEMPTS)));
    ifGiven(numbers.oldestDue(), oldest -> handler.setOldestDue(ProtoTime.of(oldest)));
    ifGiven(
        numbers.askedAt(),
        at -> handler.setAskedAt(ProtoTime.of(at)).setHasWorker(at.plus(LATELY).isAfter(now)));
    limits.entrySet().stream()
        .filter(entry -> entry.getKey().handler().equals(numbers.handler()))
        .sorted(Comparator.comparingInt(entry -> -entry.getKey().priority()))
        .forEach(entry -> handler.addQueues(queue(entry.getKey(), entry.getValue())));
    pauses.stream()
        .filter(closed -> closed.pause().handler().equals(numbers.handler()))
        .forEach(closed -> handler.addPauses(pause(closed)));
    return handler;
  }

  private static Handler.Rates rates(Attempts inMinute) {
    return Handler.Rates.newBuilder()
        .setBegun(inMinute.begun() / MINUTE_SECONDS)
        .setEnded(inMinute.ended() / MINUTE_SECONDS)
        .setFailed(inMinute.failed() / MINUTE_SECONDS)
        .build();
  }

  static String tag(StoredHandlerSettings settings) {
    return EntityTag.of(settings(settings).build());
  }

  static String tag(TaskQueueLimit limit) {
    return EntityTag.of(limit(limit).build());
  }

  /** Writes the settings of a handler. */
  static Handler.Builder settings(StoredHandlerSettings settings) {
    Handler.Builder words =
        Handler.newBuilder()
            .setRetryPolicy(TaskAnswers.policy(settings.retryPolicy()))
            .setKeyPolicy(policy(settings.keyPolicy()));
    ifGiven(settings.maxUnfinished(), words::setMaxUnfinished);
    return words;
  }

  private static KeyPolicy policy(io.kairos.domain.task.OrderingKeyPolicy policy) {
    KeyPolicy.Builder words = KeyPolicy.newBuilder();
    switch (policy.mode()) {
      case Ordered(var onDead) -> words.setOnDead(ON_DEAD.write(onDead));
      case Parallel(int maxRunning) -> words.setMaxRunning(maxRunning);
    }
    ifGiven(policy.rate(), rate -> words.setPerSecond(rate.perSecond()).setBurst(rate.burst()));
    return words.build();
  }

  static Queue queue(QueueName name, QueueUse use) {
    return limit(use.limit())
        .setHandler(name.handler().wireName())
        .setPriority(name.priority())
        .setRunning(use.running())
        .setEtag(tag(use.limit()))
        .build();
  }

  static Queue.Builder limit(TaskQueueLimit limit) {
    Queue.Builder words = Queue.newBuilder();
    ifGiven(limit.maxRunning(), words::setMaxRunning);
    ifGiven(limit.perSecond(), words::setPerSecond);
    ifGiven(limit.burst(), words::setBurst);
    return words;
  }

  static io.kairos.api.v1.FailureGroup failures(FailureGroup group) {
    io.kairos.api.v1.FailureGroup.Builder words =
        io.kairos.api.v1.FailureGroup.newBuilder()
            .setHandler(group.handler().wireName())
            .setFingerprint(group.fingerprint())
            .setErrorClass(group.errorClass())
            .setError(group.error())
            .setCount(group.count())
            .setFirstEndedAt(ProtoTime.of(group.firstEndedAt()))
            .setLastEndedAt(ProtoTime.of(group.lastEndedAt()));
    group.samples().forEach(id -> words.addSamples(id.toString()));
    group.byHour().forEach(words::addByHour);
    return words.build();
  }

  static Pause pause(Active closed) {
    return pause(closed.pause()).toBuilder().setSince(ProtoTime.of(closed.since())).build();
  }

  static Pause pause(io.kairos.engine.task.port.operator.TaskPause pause) {
    Pause.Builder words =
        Pause.newBuilder()
            .setHandler(pause.handler().wireName())
            .setMode(PAUSE_MODES.write(pause.mode()))
            .setNote(pause.note());
    ifGiven(pause.collection(), collection -> words.setCollection(collection.value()));
    ifGiven(pause.until(), until -> words.setUntil(ProtoTime.of(until)));
    return words.build();
  }
}
