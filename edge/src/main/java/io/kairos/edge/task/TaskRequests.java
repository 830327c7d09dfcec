package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.reading;
import static io.kairos.edge.refusal.InvalidField.readingAll;
import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.duration;
import static io.kairos.edge.task.RequestFields.handlerOrAny;
import static io.kairos.edge.task.RequestFields.micros;
import static io.kairos.edge.task.RequestFields.orderingKey;
import static io.kairos.edge.task.RequestFields.pageSize;

import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.RescheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.PeriodUnit;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.TaskIdempotency.Window;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.call.GivenPayload;
import io.kairos.edge.call.PageToken;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.operator.ListQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks requests about tasks and translates them for the engine. Throws {@link InvalidField}.
 *
 * @param maxPayloadBytes the largest payload of a task
 */
public record TaskRequests(InstantSource clock, int maxPayloadBytes) {
  private static final WireEnum<OnConflict, io.kairos.api.v1.Idempotency.OnConflict> ON_CONFLICTS =
      new WireEnum<>(OnConflict.class, io.kairos.api.v1.Idempotency.OnConflict.class);
  private static final WireEnum<PeriodUnit, io.kairos.api.v1.Idempotency.Period.Unit> PERIOD_UNITS =
      new WireEnum<>(PeriodUnit.class, io.kairos.api.v1.Idempotency.Period.Unit.class);

  /** Reads one task, as a list. */
  public List<TaskSpec> one(ScheduleTaskRequest request) {
    return GraphRequests.sound(List.of(spec(request, clock.instant())), false);
  }

  /** Reads all tasks; the refusal of one names its position. */
  List<TaskSpec> batch(BatchScheduleTasksRequest request) {
    RequestFields.batch("tasks", request.getTasksCount());
    Instant now = clock.instant();
    Set<List<String>> keys = new HashSet<>();
    return GraphRequests.sound(
        readingAll(
            "tasks",
            request.getTasksList(),
            task -> {
              TaskSpec spec = spec(task, now);
              TaskIdempotency idempotency = spec.idempotency();
              require(
                  idempotency == null
                      || keys.add(
                          List.of(spec.queue().handler().wireName(), idempotency.storedKey())),
                  "idempotency.key",
                  "must not be that of another task of the batch");
              return spec;
            }),
        true);
  }

  private TaskSpec spec(ScheduleTaskRequest given, Instant now) {
    requireSize(GivenPayload.leastSize(given));
    ScheduleTaskRequest request = GivenPayload.inBytes("", ScheduleTaskRequest.class, given);
    TaskHandler handler = PoolRequests.handler(request);
    int priority = RequestFields.priority("priority", request.hasPriority(), request.getPriority());
    requireSize(request.getPayload().size());
    long dueMicros = due(request, now);
    List<TaskSpec.After> after = GraphRequests.after(request);
    return new TaskSpec(
        new QueueName(handler, priority),
        dueMicros,
        new TaskDetails(
            PoolRequests.payload(request),
            request.hasRetryPolicy() ? policy(request.getRetryPolicy()) : null,
            request.hasExecutionTimeout() ? executionTimeout(request) : null,
            orderingKey("key", request.getKey()),
            RequestFields.collection("collection", request.getCollection()),
            startDeadline(request, dueMicros, now),
            callersTrace(request),
            RequestFields.fairness(
                request.getFairnessKey(),
                request.hasFairnessWeight() ? request.getFairnessWeight() : null),
            RequestFields.limits(request.getLimitsList())),
        request.hasIdempotency() ? idempotency(request, dueMicros, now) : null,
        PresentCaller.maker(),
        after,
        GraphRequests.batch(request, after));
  }

  private void requireSize(int bytes) {
    if (bytes > maxPayloadBytes) {
      throw new InvalidField("payload", "must be at most %,d bytes".formatted(maxPayloadBytes));
    }
  }

  private static @Nullable Long startDeadline(
      ScheduleTaskRequest request, long dueMicros, Instant now) {
    if (request.hasRejectBeyond()) {
      String field = "reject_beyond";
      require(!request.hasStartDeadline(), field, "must not be given together with start_deadline");
      Duration beyond = duration(field, request.getRejectBeyond(), RequestFields.YEAR);
      long latest = dueMicros + EpochMicros.lengthOf(beyond);
      require(
          latest >= EpochMicros.of(now),
          "run_at",
          "must not lie further in the past than reject_beyond");
      return latest;
    }
    if (!request.hasStartDeadline()) {
      return null;
    }
    long deadline = micros("start_deadline", request.getStartDeadline());
    require(deadline >= dueMicros, "start_deadline", "must not be before the due time");
    return deadline;
  }

  /** Reads the idempotency of a task. */
  static TaskIdempotency idempotency(ScheduleTaskRequest request, long dueMicros, Instant now) {
    io.kairos.api.v1.Idempotency given = request.getIdempotency();
    TaskIdempotency.OnConflict onConflict =
        ON_CONFLICTS.read("idempotency.on_conflict", given.getOnConflict(), OnConflict.KEEP);
    require(
        onConflict != OnConflict.REPLACE || request.getKey().isEmpty(),
        "idempotency.on_conflict",
        "must not be REPLACE for a task with an ordering key");
    Window window = window(given, dueMicros, now);
    Duration maxWait = given.hasMaxWait() ? maxWait(given, onConflict, dueMicros, now) : null;
    require(
        !given.getKey().startsWith(TaskIdempotency.RESERVED_PREFIX),
        "idempotency.key",
        "must not begin with " + TaskIdempotency.RESERVED_PREFIX + ", which Kairos itself uses");
    require(
        PresentCaller.mayUse(given.getKey()),
        "idempotency.key",
        "must not begin like those that are reserved for another caller");
    return reading(
        "idempotency.key",
        "must have " + TaskIdempotency.RULE,
        () -> new TaskIdempotency(given.getKey(), window, onConflict, maxWait));
  }

  private static Duration maxWait(
      io.kairos.api.v1.Idempotency given, OnConflict onConflict, long dueMicros, Instant now) {
    String field = "idempotency.max_wait";
    require(onConflict == OnConflict.REPLACE, field, "must be given only with on_conflict REPLACE");
    Duration most = duration(field, given.getMaxWait(), RequestFields.YEAR);
    require(most.isPositive(), field, "must be more than nothing");
    require(
        dueMicros <= EpochMicros.of(now.plus(most)),
        field,
        "must be at least as long as the task is to wait");
    return most;
  }

  private static Window window(io.kairos.api.v1.Idempotency given, long dueMicros, Instant now) {
    boolean isWindowGiven =
        given.getWindow() != io.kairos.api.v1.Idempotency.Window.WINDOW_UNSPECIFIED;
    if (given.hasPeriod()) {
      String field = "idempotency.period";
      require(
          !isWindowGiven && !given.hasDuration(),
          field,
          "must not be given together with window or duration");
      PeriodUnit unit =
          PERIOD_UNITS.read(field + ".unit", given.getPeriod().getUnit(), PeriodUnit.DAY);
      String zone = given.getPeriod().getTimeZone();
      return unit.around(
          EpochMicros.toInstant(dueMicros),
          zone.isEmpty()
              ? ZoneOffset.UTC
              : RequestFields.zone(field + ".time_zone", zone, Map.of()),
          now);
    }
    if (given.hasDuration()) {
      String field = "idempotency.duration";
      require(!isWindowGiven, field, "must not be given together with window");
      Duration length = duration(field, given.getDuration(), TaskIdempotency.LONGEST);
      require(length.isPositive(), field, "must be more than nothing");
      return new Window.For(length);
    }
    return switch (given.getWindow()) {
      case WINDOW_UNSPECIFIED, WHILE_UNFINISHED -> new Window.WhileUnfinished();
      case WHILE_WAITING -> new Window.WhileWaiting();
      case FOREVER -> new Window.Forever();
      case UNRECOGNIZED ->
          throw new InvalidField(
              "idempotency.window", "must be WHILE_UNFINISHED, WHILE_WAITING or FOREVER");
    };
  }

  /** Due time of a task that is scheduled now, in microseconds since 1970. */
  static long due(ScheduleTaskRequest request, Instant now) {
    require(
        !(request.hasRunAt() && request.hasDelay()),
        "run_at",
        "must not be given together with delay");
    if (request.hasRunAt()) {
      return micros("run_at", request.getRunAt());
    }
    return request.hasDelay()
        ? RequestFields.after(now, "delay", request.getDelay())
        : RequestFields.now(now);
  }

  static RetryPolicy policy(io.kairos.api.v1.RetryPolicy given) {
    RetryPolicy defaults = RetryPolicy.DEFAULT;
    Duration initial =
        duration(given, "retry_policy.initial_backoff", RetryPolicy.LONGEST, defaults.initial());
    Duration max =
        duration(
            given,
            "retry_policy.max_backoff",
            RetryPolicy.LONGEST,
            longer(initial, defaults.max()));
    return reading(
        "retry_policy",
        () ->
            new RetryPolicy(
                given.getMaxAttempts() == 0 ? defaults.maxAttempts() : given.getMaxAttempts(),
                initial,
                given.getFactor() == 0 ? defaults.factor() : given.getFactor(),
                max));
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private static Duration executionTimeout(ScheduleTaskRequest request) {
    String field = "execution_timeout";
    Duration timeout = duration(field, request.getExecutionTimeout(), RequestFields.YEAR);
    require(timeout.compareTo(Duration.ofMillis(1)) >= 0, field, "must be at least 1 ms");
    return timeout;
  }

  /** The trace context of the field, or else of the request's header; null for neither. */
  private static @Nullable TraceContext callersTrace(ScheduleTaskRequest request) {
    TraceContext given = traceContext(request.getTraceparent());
    String header = given == null ? PresentCaller.header(TraceContext.HEADER) : null;
    return header != null && TraceContext.isValid(header) ? new TraceContext(header) : given;
  }

  /** Null for an empty text. */
  static @Nullable TraceContext traceContext(String given) {
    if (given.isEmpty()) {
      return null;
    }
    return reading(
        "traceparent",
        "must be a W3C trace context such as"
            + " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        () -> new TraceContext(given));
  }

  /** The new due time, in microseconds since 1970. */
  long due(RescheduleTaskRequest request) {
    require(request.hasRunAt() != request.hasDelay(), "run_at", "either it or delay must be given");
    return request.hasRunAt()
        ? micros("run_at", request.getRunAt())
        : RequestFields.after(clock.instant(), "delay", request.getDelay());
  }

  /** The query for one page. */
  ListQuery query(ListTasksRequest request) {
    int size = pageSize(request.getPageSize());
    TaskHandler handler = handlerOrAny("handler", request.getHandler());
    TaskId before =
        request.getPageToken().isEmpty() ? null : PageToken.read(request, states(request));
    OrderingKey key = orderingKey("key", request.getKey());
    require(key == null || handler != null, "key", "must be given together with handler");
    Long from = request.hasNotBefore() ? micros("not_before", request.getNotBefore()) : null;
    Long to = request.hasBefore() ? micros("before", request.getBefore()) : null;
    require(from == null || to == null || from < to, "before", "must be after not_before");
    SearchRequests.IdRange ids = SearchRequests.ids(request.getIdPrefix());
    if (before == null) {
      before = ids.before();
    }
    return new ListQuery(
        handler,
        RequestFields.collection("collection", request.getCollection()),
        key,
        states(request),
        from,
        to,
        before,
        size,
        SearchRequests.search(request, ids.from(), clock.instant()));
  }

  static Set<TaskState> states(ListTasksRequest request) {
    Set<TaskState> states =
        TaskAnswers.STATES.readAll(
            "states", request.getStatesList(), "must be one of a task's states");
    return states.isEmpty() ? EnumSet.allOf(TaskState.class) : states;
  }
}
