package io.kairos.server.edge.task;

import static io.kairos.server.edge.refusal.InvalidField.require;

import com.google.protobuf.FieldMask;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.kairos.api.v1.Queue;
import io.kairos.api.v1.SetGateRequest;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.UpdateQueueRequest;
import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.QueueLimit;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Gate;
import io.kairos.engine.task.port.RedriveRequest;
import io.kairos.server.edge.refusal.InvalidField;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What operators ask for, checked and in the engine's words. Throws {@link InvalidField}. */
final class QueueRequests {
  static final int MOST_IN_A_NOTE = 500;

  private static final int DEFAULT_REDRIVE = 1_000;
  private static final int MOST_REDRIVE = 10_000;
  private static final double MOST_PER_SECOND = 1_000_000;

  /** So that the last of a redrive is due within months. */
  private static final double LEAST_PER_SECOND = 0.001;

  private static final String MAX_RUNNING = "max_running";
  private static final String PER_SECOND = "per_second";
  private static final String BURST = "burst";

  private QueueRequests() {}

  static @Nullable CollectionName collection(String given) {
    if (given.isEmpty()) {
      return null;
    }
    try {
      return new CollectionName(given);
    } catch (IllegalArgumentException _) {
      throw new InvalidField("collection", "must have " + CollectionName.RULE);
    }
  }

  static QueueName queue(UpdateQueueRequest request) {
    Queue queue = request.getQueue();
    int priority = queue.hasPriority() ? queue.getPriority() : QueueName.DEFAULT;
    require(
        priority >= QueueName.LOWEST && priority <= QueueName.HIGHEST,
        "queue.priority",
        "must be 0 to 100, higher is sooner");
    return new QueueName(Fields.handler("queue.handler", queue.getHandler()), priority);
  }

  /** From the limit that a queue has to the one that it shall have. */
  static UnaryOperator<QueueLimit> change(UpdateQueueRequest request) {
    Queue queue = request.getQueue();
    Set<String> fields = request.hasUpdateMask() ? mask(request.getUpdateMask()) : given(queue);
    require(!fields.isEmpty(), "update_mask", "must name a limit, or the queue must have one");
    require(
        !queue.hasMaxRunning() || queue.getMaxRunning() >= 0,
        "queue.max_running",
        "must not be negative");
    require(
        !queue.hasPerSecond()
            || (queue.getPerSecond() > 0 && queue.getPerSecond() <= MOST_PER_SECOND),
        "queue.per_second",
        "must be greater than 0 and at most 1,000,000");
    require(!queue.hasBurst() || queue.getBurst() >= 1, "queue.burst", "must be at least 1");
    return before -> changed(before, queue, fields);
  }

  private static QueueLimit changed(QueueLimit before, Queue queue, Set<String> fields) {
    Double perSecond =
        fields.contains(PER_SECOND)
            ? (queue.hasPerSecond() ? (Double) queue.getPerSecond() : null)
            : before.perSecond();
    Integer burst =
        fields.contains(BURST)
            ? (queue.hasBurst() ? (Integer) queue.getBurst() : null)
            : before.burst();
    require(
        burst == null || perSecond != null || !fields.contains(BURST),
        "queue.burst",
        "needs per_second");
    return new QueueLimit(
        fields.contains(MAX_RUNNING)
            ? (queue.hasMaxRunning() ? (Integer) queue.getMaxRunning() : null)
            : before.maxRunning(),
        perSecond,
        perSecond == null ? null : burst);
  }

  private static Set<String> mask(FieldMask mask) {
    Set<String> fields = new HashSet<>();
    for (String path : mask.getPathsList()) {
      String field = path.startsWith("queue.") ? path.substring("queue.".length()) : path;
      require(
          Set.of(MAX_RUNNING, PER_SECOND, BURST).contains(field),
          "update_mask",
          "must be of max_running, per_second and burst");
      fields.add(field);
    }
    return fields;
  }

  private static Set<String> given(Queue queue) {
    Set<String> fields = new HashSet<>();
    if (queue.hasMaxRunning()) {
      fields.add(MAX_RUNNING);
    }
    if (queue.hasPerSecond()) {
      fields.add(PER_SECOND);
    }
    if (queue.hasBurst()) {
      fields.add(BURST);
    }
    return fields;
  }

  static Gate gate(SetGateRequest request, Instant now) {
    TaskHandler handler = Fields.handler("handler", request.getHandler());
    Gate.Mode mode =
        switch (request.getMode()) {
          case MODE_UNSPECIFIED, PAUSE -> Gate.Mode.PAUSE;
          case DROP -> Gate.Mode.DROP;
          case UNRECOGNIZED -> throw new InvalidField("mode", "must be PAUSE or DROP");
        };
    require(
        request.getNote().length() <= MOST_IN_A_NOTE && request.getNote().indexOf('\0') < 0,
        "note",
        "must be at most 500 characters, without U+0000");
    return new Gate(
        handler,
        collection(request.getCollection()),
        mode,
        request.hasUntil() ? until(request, now) : null,
        request.getNote());
  }

  private static Instant until(SetGateRequest request, Instant now) {
    Instant until = EpochMicros.toInstant(Fields.micros("until", request.getUntil()));
    require(until.isAfter(now), "until", "must be in the future");
    return until;
  }

  static RedriveRequest redrive(io.kairos.api.v1.RedriveRequest request, Instant now) {
    require(
        request.getIdsCount() > 0 != request.hasFilter(),
        "ids",
        "either they or filter must be given");
    int limit = request.getLimit() == 0 ? DEFAULT_REDRIVE : request.getLimit();
    require(limit >= 1 && limit <= MOST_REDRIVE, "limit", "must be 1 to 10,000");
    double perSecond = request.getPerSecond();
    require(
        perSecond == 0 || (perSecond >= LEAST_PER_SECOND && perSecond <= MOST_PER_SECOND),
        "per_second",
        "must be 0 or from 0.001 to 1,000,000");
    Duration apart =
        perSecond == 0 ? Duration.ZERO : Duration.ofNanos((long) (1_000_000_000 / perSecond));
    Fields.after(
        request.hasStart()
            ? EpochMicros.toInstant(Fields.micros("start", request.getStart()))
            : now,
        "start",
        Durations.fromNanos(apart.multipliedBy(limit).toNanos()));
    return new RedriveRequest(
        request.hasFilter() ? filter(request.getFilter()) : ids(request.getIdsList()),
        request.hasStart() ? Fields.micros("start", request.getStart()) : null,
        apart,
        limit);
  }

  private static RedriveRequest.Ids ids(List<String> given) {
    Fields.batch("ids", given.size());
    List<TaskId> ids = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      ids.add(Fields.id("ids[" + i + "]", given.get(i)));
    }
    return new RedriveRequest.Ids(ids);
  }

  private static RedriveRequest.Filter filter(io.kairos.api.v1.RedriveRequest.Filter given) {
    if (given.hasEndedBefore()) {
      require(
          Timestamps.isValid(given.getEndedBefore()),
          "filter.ended_before",
          "must be a time from year 0001 to 9999");
    }
    require(given.getError().indexOf('\0') < 0, "filter.error", "must not have U+0000");
    return new RedriveRequest.Filter(
        given.getHandler().isEmpty() ? null : Fields.handler("filter.handler", given.getHandler()),
        states(given.getStatesList()),
        given.hasEndedBefore()
            ? EpochMicros.toInstant(Fields.micros("filter.ended_before", given.getEndedBefore()))
            : null,
        given.getError(),
        given.getAfter().isEmpty() ? null : Fields.id("filter.after", given.getAfter()));
  }

  private static Set<TaskState> states(List<Task.State> given) {
    Set<TaskState> states = EnumSet.noneOf(TaskState.class);
    for (int i = 0; i < given.size(); i++) {
      TaskState state = TaskAnswers.state(given.get(i));
      if (state == null || !RedriveRequest.REDRIVABLE.contains(state)) {
        throw new InvalidField("filter.states[" + i + "]", "must be FAILED or DEAD");
      }
      states.add(state);
    }
    return states.isEmpty() ? RedriveRequest.REDRIVABLE : states;
  }
}
