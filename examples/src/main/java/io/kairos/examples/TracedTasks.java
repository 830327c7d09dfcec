package io.kairos.examples;

import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries an OpenTelemetry trace from whoever schedules a task to the handler that performs it.
 * Works with the SDK or the agent; needs the API alone.
 */
public final class TracedTasks {
  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

  private TracedTasks() {}

  static TaskId schedule(KairosClient kairos, TaskRequest.Builder task) {
    W3C.inject(
        Context.current(),
        task,
        (builder, name, value) -> {
          if (builder != null && name.equals("traceparent")) {
            builder.traceparent(value);
          }
        });
    return kairos.schedule(task.build());
  }

  @SuppressWarnings("try") // a scope is there to be closed
  static void handle(Worker worker, String handler, Tracer tracer, Consumer<byte[]> work) {
    worker.handle(
        handler,
        PayloadCodec.bytes(),
        (payload, context) -> {
          Span span =
              tracer
                  .spanBuilder("perform " + handler)
                  .setParent(W3C.extract(Context.root(), context, new Traceparent()))
                  .setSpanKind(SpanKind.CONSUMER)
                  .setAttribute("kairos.task", context.taskId().toString())
                  .setAttribute("kairos.attempt", context.attempt())
                  .startSpan();
          try (Scope scope = span.makeCurrent()) {
            work.accept(payload);
          } catch (RuntimeException e) {
            span.recordException(e);
            throw e;
          } finally {
            span.end();
          }
        });
  }

  private static final class Traceparent implements TextMapGetter<TaskContext> {
    @Override
    public Iterable<String> keys(TaskContext context) {
      return List.of("traceparent");
    }

    @Override
    public @Nullable String get(@Nullable TaskContext context, String key) {
      return context != null && key.equals("traceparent")
          ? context.traceparent().orElse(null)
          : null;
    }
  }
}
