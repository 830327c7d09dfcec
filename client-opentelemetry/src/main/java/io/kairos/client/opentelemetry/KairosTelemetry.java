package io.kairos.client.opentelemetry;

import io.kairos.client.KairosClient.ScheduleInterceptor;
import io.kairos.client.TaskRequest;
import io.kairos.client.handler.HandlerInterceptor;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.ScheduledTask;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Traces tasks from the application that schedules them to the attempts of workers.
 *
 * <pre>{@code
 * KairosTelemetry telemetry = KairosTelemetry.create(openTelemetry);
 * KairosClient kairos = KairosClient.builder("node1:7070").intercept(telemetry).build();
 * Worker worker = Worker.builder("node1:7070").intercept(telemetry).build();
 * }</pre>
 *
 * <p>A call that schedules tasks gets a span {@code schedule <handler>}, whose context is stored
 * with its tasks. Each attempt gets a span {@code perform <handler>}, which is the current span of
 * the handler. It is a child of the schedule's span and linked to it, so one trace shows a task
 * from its caller to its result. No span lasts while a task waits. While a handler runs, the MDC of
 * slf4j has the keys {@code trace_id} and {@code span_id}. Thread-safe.
 */
public final class KairosTelemetry implements ScheduleInterceptor, HandlerInterceptor {
  private static final String SCOPE = "io.kairos.client";

  private final Tracer tracer;
  private final boolean ownTraces;

  private KairosTelemetry(Tracer tracer, boolean ownTraces) {
    this.tracer = tracer;
    this.ownTraces = ownTraces;
  }

  /** Returns the telemetry of an application whose spans go to this SDK or agent. */
  public static KairosTelemetry create(OpenTelemetry openTelemetry) {
    return new KairosTelemetry(openTelemetry.getTracer(SCOPE), false);
  }

  /**
   * Returns telemetry that begins a new trace for each attempt, which is only linked to the
   * schedule's span: for tasks that wait longer than the tracing backend keeps a trace together,
   * such as days.
   */
  public KairosTelemetry withAttemptsInOwnTraces() {
    return new KairosTelemetry(tracer, true);
  }

  /**
   * Returns the task with the current span as its trace context, or unchanged where there is none
   * or the task has a trace context. For tasks that no client schedules, such as those of {@link
   * io.kairos.client.TransactionalTasks}.
   */
  public TaskRequest traced(TaskRequest task) {
    return TraceContextText.of(Span.current().getSpanContext())
        .filter(current -> task.traceparent().isEmpty())
        .map(task::withTraceparent)
        .orElse(task);
  }

  @Override
  @SuppressWarnings("try") // a scope is there to be closed
  public CompletionStage<List<ScheduledTask>> schedule(List<TaskRequest> tasks, Call call) {
    Span span = scheduleSpan(tasks).startSpan();
    CompletionStage<List<ScheduledTask>> answer;
    try (Scope scope = span.makeCurrent()) {
      answer = call.schedule(tasks.stream().map(this::traced).toList());
    } catch (RuntimeException | Error e) { // of another interceptor
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.whenComplete((accepted, failure) -> {
      if (accepted != null) {
        TaskAttributes.accepted(span, accepted);
      } else if (failure != null) {
        Throwable cause = failure.getCause();
        TaskAttributes.failed(
            span, failure instanceof CompletionException && cause != null ? cause : failure);
      }
      span.end();
    });
  }

  private SpanBuilder scheduleSpan(List<TaskRequest> tasks) {
    List<String> targets = tasks.stream().map(TaskRequest::target).distinct().limit(2).toList();
    boolean isOne = targets.size() == 1;
    SpanBuilder span =
        tracer
            .spanBuilder(isOne ? "schedule " + targets.get(0) : "schedule tasks")
            .setSpanKind(SpanKind.PRODUCER)
            .setAttribute(TaskAttributes.SYSTEM, TaskAttributes.KAIROS)
            .setAttribute(TaskAttributes.OPERATION, "schedule")
            .setAttribute(TaskAttributes.OPERATION_TYPE, "send");
    if (isOne) {
      span.setAttribute(TaskAttributes.DESTINATION, targets.get(0));
      span.setAttribute(TaskAttributes.HANDLER, targets.get(0));
    }
    if (tasks.size() != 1) {
      span.setAttribute(TaskAttributes.BATCH_SIZE, tasks.size());
    }
    return span;
  }

  @Override
  @SuppressWarnings("try") // a scope is there to be closed
  public void perform(TaskContext context, Attempt attempt) throws Exception {
    Span span = performSpan(context).startSpan();
    TraceLogKeys keys = TraceLogKeys.put(span.getSpanContext());
    try (Scope scope = span.makeCurrent()) {
      attempt.perform(
          TraceContextText.of(span.getSpanContext()).map(context::withTraceparent).orElse(context));
      span.setAttribute(TaskAttributes.OUTCOME, "succeeded");
    } catch (Throwable e) {
      AttemptFailure.of(e, context).record(span);
      throw e;
    } finally {
      keys.restore();
      span.end();
    }
  }

  private SpanBuilder performSpan(TaskContext context) {
    SpanContext caller = TraceContextText.read(context.traceparent().orElse(""));
    SpanBuilder span =
        tracer
            .spanBuilder("perform " + context.handler())
            .setSpanKind(SpanKind.CONSUMER)
            .setAttribute(TaskAttributes.SYSTEM, TaskAttributes.KAIROS)
            .setAttribute(TaskAttributes.OPERATION, "perform")
            .setAttribute(TaskAttributes.OPERATION_TYPE, "process")
            .setAttribute(TaskAttributes.DESTINATION, context.handler())
            .setAttribute(TaskAttributes.MESSAGE, context.taskId().toString())
            .setAttribute(TaskAttributes.TASK, context.taskId().toString())
            .setAttribute(TaskAttributes.HANDLER, context.handler())
            .setAttribute(TaskAttributes.ATTEMPT, context.attempt())
            .setAttribute(TaskAttributes.WORKER, context.workerName())
            .setAttribute(TaskAttributes.DUE, context.dueAt().toString());
    if (caller.isValid()) {
      span.addLink(caller);
      span.setParent(Context.current().with(Span.wrap(caller)));
    }
    return ownTraces ? span.setNoParent() : span;
  }
}
