package io.kairos.server.edge.task;

import static io.kairos.server.edge.refusal.InvalidField.require;

import io.kairos.api.v1.ListRequest;
import io.kairos.api.v1.RescheduleRequest;
import io.kairos.api.v1.ScheduleBatchRequest;
import io.kairos.api.v1.ScheduleRequest;
import io.kairos.api.v1.Task;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
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
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What applications ask for, checked and in the engine's words. Throws {@link InvalidField}. */
final class TaskRequests {
  static final int DEFAULT_PAGE = 100;

  private final InstantSource clock;
  private final int maxPayloadBytes;

  TaskRequests(InstantSource clock, int maxPayloadBytes) {
    this.clock = clock;
    this.maxPayloadBytes = maxPayloadBytes;
  }

  List<TaskSpec> one(ScheduleRequest request) {
    return List.of(spec(request, clock.instant()));
  }

  /** All, or a refusal that says which. */
  List<TaskSpec> batch(ScheduleBatchRequest request) {
    int count = request.getTasksCount();
    Fields.batch("tasks", count);
    Instant now = clock.instant();
    List<TaskSpec> specs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      try {
        specs.add(spec(request.getTasks(i), now));
      } catch (InvalidField e) {
        throw e.in("tasks[" + i + "]");
      }
    }
    return specs;
  }

  private TaskSpec spec(ScheduleRequest request, Instant now) {
    int priority = request.hasPriority() ? request.getPriority() : QueueName.DEFAULT;
    HandlerName handler = Fields.handler("handler", request.getHandler());
    require(
        priority >= QueueName.LOWEST && priority <= QueueName.HIGHEST,
        "priority",
        "must be 0 to 100, higher is sooner");
    require(
        request.getPayload().size() <= maxPayloadBytes,
        "payload",
        "must be at most %,d bytes".formatted(maxPayloadBytes));
    return new TaskSpec(
        new QueueName(handler, priority),
        due(request, now),
        Payloads.in(request.getPayload()),
        request.hasRetryPolicy() ? policy(request.getRetryPolicy()) : null,
        request.hasExecutionTimeout() ? executionTimeout(request) : null,
        traceparent(request.getTraceparent()));
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

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private static Duration executionTimeout(ScheduleRequest request) {
    String field = "execution_timeout";
    Duration timeout = Fields.duration(field, request.getExecutionTimeout(), Fields.YEAR);
    require(timeout.compareTo(Duration.ofMillis(1)) >= 0, field, "must be at least 1 ms");
    return timeout;
  }

  /** Null for none. */
  static @Nullable String traceparent(String given) {
    if (given.isEmpty()) {
      return null;
    }
    require(
        TraceContext.isValid(given),
        "traceparent",
        "must be a W3C trace context such as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    return given;
  }

  /** The new due time. */
  long due(RescheduleRequest request) {
    require(request.hasRunAt() != request.hasDelay(), "run_at", "either it or delay must be given");
    return request.hasRunAt()
        ? Fields.micros("run_at", request.getRunAt())
        : Fields.after(clock.instant(), "delay", request.getDelay());
  }

  /**
   * One page.
   *
   * @param query asks for one task more than the page has room for, to know whether there are more
   */
  record Page(ListQuery query, int size) {}

  Page page(ListRequest request) {
    int size = request.getPageSize() == 0 ? DEFAULT_PAGE : request.getPageSize();
    require(size >= 1 && size <= Fields.MOST_IN_A_BATCH, "page_size", "must be 1 to 1,000");
    HandlerName handler =
        request.getHandler().isEmpty() ? null : Fields.handler("handler", request.getHandler());
    TaskId before =
        request.getPageToken().isEmpty()
            ? null
            : PageToken.read(request.getPageToken(), request.getHandler(), states(request));
    return new Page(new ListQuery(handler, states(request), before, size + 1), size);
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
