package io.kairos.server.edge.task;

import static io.kairos.server.edge.refusal.InvalidField.require;

import io.kairos.api.v1.ListRequest;
import io.kairos.api.v1.RescheduleRequest;
import io.kairos.api.v1.ScheduleBatchRequest;
import io.kairos.api.v1.ScheduleRequest;
import io.kairos.api.v1.Task;
import io.kairos.domain.task.Idempotency;
import io.kairos.domain.task.Idempotency.OnConflict;
import io.kairos.domain.task.Idempotency.Window;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.engine.task.TaskSpec;
import io.kairos.engine.task.port.ListQuery;
import io.kairos.server.edge.refusal.InvalidField;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What applications ask for, checked and in the engine's words. Throws {@link InvalidField}. */
public final class TaskRequests {
  private final InstantSource clock;
  private final int maxPayloadBytes;

  /** Payloads have at most so many bytes. */
  public TaskRequests(InstantSource clock, int maxPayloadBytes) {
    this.clock = clock;
    this.maxPayloadBytes = maxPayloadBytes;
  }

  /** A single task. */
  public List<TaskSpec> one(ScheduleRequest request) {
    return List.of(spec(request, clock.instant()));
  }

  /** All, or a refusal that says which. */
  List<TaskSpec> batch(ScheduleBatchRequest request) {
    int count = request.getTasksCount();
    Fields.batch("tasks", count);
    Instant now = clock.instant();
    List<TaskSpec> specs = new ArrayList<>(count);
    Set<List<String>> keys = new HashSet<>();
    for (int i = 0; i < count; i++) {
      try {
        TaskSpec spec = spec(request.getTasks(i), now);
        Idempotency idempotency = spec.idempotency();
        require(
            idempotency == null
                || keys.add(List.of(spec.queue().handler().wireName(), idempotency.key())),
            "idempotency.key",
            "must not be that of another task of the batch");
        specs.add(spec);
      } catch (InvalidField e) {
        throw e.in("tasks[" + i + "]");
      }
    }
    return specs;
  }

  private TaskSpec spec(ScheduleRequest request, Instant now) {
    int priority = request.hasPriority() ? request.getPriority() : QueueName.DEFAULT;
    TaskHandler handler = PoolRequests.handler(request);
    require(
        priority >= QueueName.LOWEST && priority <= QueueName.HIGHEST,
        "priority",
        "must be 0 to 100, higher is sooner");
    require(
        request.getPayload().size() <= maxPayloadBytes,
        "payload",
        "must be at most %,d bytes".formatted(maxPayloadBytes));
    long dueMicros = due(request, now);
    return new TaskSpec(
        new QueueName(handler, priority),
        dueMicros,
        new TaskDetails(
            PoolRequests.payload(request),
            request.hasRetryPolicy() ? policy(request.getRetryPolicy()) : null,
            request.hasExecutionTimeout() ? executionTimeout(request) : null,
            Fields.orderingKey("key", request.getKey()),
            Fields.collection("collection", request.getCollection()),
            request.hasStartDeadline() ? startDeadline(request, dueMicros) : null,
            traceContext(request.getTraceparent())),
        request.hasIdempotency() ? idempotency(request) : null);
  }

  private static long startDeadline(ScheduleRequest request, long dueMicros) {
    long deadline = Fields.micros("start_deadline", request.getStartDeadline());
    require(deadline >= dueMicros, "start_deadline", "must not be before the due time");
    return deadline;
  }

  /** As it is asked for; refused when it is not one. */
  static Idempotency idempotency(ScheduleRequest request) {
    io.kairos.api.v1.Idempotency given = request.getIdempotency();
    Idempotency.OnConflict onConflict = onConflict(given);
    require(
        onConflict != OnConflict.REPLACE || request.getKey().isEmpty(),
        "idempotency.on_conflict",
        "must not be REPLACE for a task with an ordering key");
    try {
      return new Idempotency(given.getKey(), window(given), onConflict);
    } catch (IllegalArgumentException _) {
      throw new InvalidField("idempotency.key", "must have " + Idempotency.RULE);
    }
  }

  private static Window window(io.kairos.api.v1.Idempotency given) {
    if (given.hasDuration()) {
      String field = "idempotency.duration";
      require(
          given.getWindow() == io.kairos.api.v1.Idempotency.Window.WINDOW_UNSPECIFIED,
          field,
          "must not be given together with window");
      Duration length = Fields.duration(field, given.getDuration(), Idempotency.LONGEST);
      require(length.isPositive(), field, "must be more than nothing");
      return new Window.For(length);
    }
    return switch (given.getWindow()) {
      case WINDOW_UNSPECIFIED, WHILE_UNFINISHED -> new Window.WhileUnfinished();
      case FOREVER -> new Window.Forever();
      case UNRECOGNIZED ->
          throw new InvalidField("idempotency.window", "must be WHILE_UNFINISHED or FOREVER");
    };
  }

  private static OnConflict onConflict(io.kairos.api.v1.Idempotency given) {
    return switch (given.getOnConflict()) {
      case ON_CONFLICT_UNSPECIFIED, KEEP -> OnConflict.KEEP;
      case REPLACE -> OnConflict.REPLACE;
      case ERROR -> OnConflict.ERROR;
      case UNRECOGNIZED ->
          throw new InvalidField("idempotency.on_conflict", "must be KEEP, REPLACE or ERROR");
    };
  }

  /** When a task is due that is scheduled now. */
  static long due(ScheduleRequest request, Instant now) {
    require(
        !(request.hasRunAt() && request.hasDelay()),
        "run_at",
        "must not be given together with delay");
    if (request.hasRunAt()) {
      return Fields.micros("run_at", request.getRunAt());
    }
    return request.hasDelay() ? Fields.after(now, "delay", request.getDelay()) : Fields.now(now);
  }

  private static RetryPolicy policy(io.kairos.api.v1.RetryPolicy given) {
    RetryPolicy defaults = RetryPolicy.DEFAULT;
    Duration initial =
        given.hasInitialBackoff()
            ? Fields.duration(
                "retry_policy.initial_backoff", given.getInitialBackoff(), RetryPolicy.LONGEST)
            : defaults.initial();
    Duration max =
        given.hasMaxBackoff()
            ? Fields.duration(
                "retry_policy.max_backoff", given.getMaxBackoff(), RetryPolicy.LONGEST)
            : longer(initial, defaults.max());
    try {
      return new RetryPolicy(
          given.getMaxAttempts() == 0 ? defaults.maxAttempts() : given.getMaxAttempts(),
          initial,
          given.getFactor() == 0 ? defaults.factor() : given.getFactor(),
          max);
    } catch (IllegalArgumentException e) {
      throw new InvalidField("retry_policy", String.valueOf(e.getMessage()));
    }
  }

  static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private static Duration executionTimeout(ScheduleRequest request) {
    String field = "execution_timeout";
    Duration timeout = Fields.duration(field, request.getExecutionTimeout(), Fields.YEAR);
    require(timeout.compareTo(Duration.ofMillis(1)) >= 0, field, "must be at least 1 ms");
    return timeout;
  }

  /** Null for none. */
  static @Nullable TraceContext traceContext(String given) {
    if (given.isEmpty()) {
      return null;
    }
    try {
      return new TraceContext(given);
    } catch (IllegalArgumentException _) {
      throw new InvalidField(
          "traceparent",
          "must be a W3C trace context such as"
              + " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    }
  }

  /** The new due time. */
  long due(RescheduleRequest request) {
    require(request.hasRunAt() != request.hasDelay(), "run_at", "either it or delay must be given");
    return request.hasRunAt()
        ? Fields.micros("run_at", request.getRunAt())
        : Fields.after(clock.instant(), "delay", request.getDelay());
  }

  /** For one page. */
  ListQuery query(ListRequest request) {
    int size = Fields.pageSize(request.getPageSize());
    TaskHandler handler =
        request.getHandler().isEmpty() ? null : Fields.handler("handler", request.getHandler());
    TaskId before =
        request.getPageToken().isEmpty() ? null : PageToken.read(request, states(request));
    OrderingKey key = Fields.orderingKey("key", request.getKey());
    require(key == null || handler != null, "key", "must be given together with handler");
    return new ListQuery(
        handler,
        Fields.collection("collection", request.getCollection()),
        key,
        states(request),
        before,
        size);
  }

  static Set<TaskState> states(ListRequest request) {
    Set<TaskState> states = EnumSet.noneOf(TaskState.class);
    for (int i = 0; i < request.getStatesCount(); i++) {
      Task.State state = request.getStates(i);
      TaskState ours = TaskAnswers.state(state);
      if (ours == null) {
        throw new InvalidField("states[" + i + "]", "must be one of a task's states");
      }
      states.add(ours);
    }
    return states.isEmpty() ? EnumSet.allOf(TaskState.class) : states;
  }
}
