package io.kairos.server.trace;

import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.trace.SpanPeriod;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.concurrent.TimeUnit;

/**
 * Makes spans below a caller's, with times by the node's clock. Their attributes have the names
 * that the client's module for OpenTelemetry uses.
 */
record SpanWriter(Tracer tracer) {
  static final AttributeKey<String> TASK = AttributeKey.stringKey("kairos.task.id");
  static final AttributeKey<String> HANDLER = AttributeKey.stringKey("kairos.handler");
  static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("kairos.attempt");
  static final AttributeKey<String> WORKER = AttributeKey.stringKey("kairos.worker");
  static final AttributeKey<String> DUE = AttributeKey.stringKey("kairos.due_at");
  static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("kairos.outcome");
  static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
  static final AttributeKey<String> OPERATION = AttributeKey.stringKey("messaging.operation.name");
  static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.name");
  static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("messaging.message.id");

  /** A span below a caller's. */
  SpanBuilder below(TraceContext caller, String name, SpanKind kind, long sinceMicros) {
    return root(name, kind, sinceMicros)
        .setParent(Context.root().with(Span.wrap(contextOf(caller))));
  }

  /** A span without a parent. */
  SpanBuilder root(String name, SpanKind kind, long sinceMicros) {
    return tracer
        .spanBuilder(name)
        .setNoParent()
        .setSpanKind(kind)
        .setStartTimestamp(sinceMicros, TimeUnit.MICROSECONDS);
  }

  /** A span of an operation on a handler's task, below that of its caller. */
  SpanBuilder ofTask(
      TraceContext caller, String operation, TaskHandler handler, SpanKind kind, long sinceMicros) {
    return below(caller, operation + " " + handler.wireName(), kind, sinceMicros)
        .setAttribute(SYSTEM, "kairos")
        .setAttribute(OPERATION, operation)
        .setAttribute(DESTINATION, handler.wireName())
        .setAttribute(HANDLER, handler.wireName());
  }

  /** Writes a whole span. */
  static void write(SpanBuilder span, SpanPeriod during) {
    end(span.startSpan(), during.untilMicros());
  }

  static void end(Span span, long untilMicros) {
    span.end(untilMicros, TimeUnit.MICROSECONDS);
  }

  static void fail(Span span, String errorType, String error) {
    span.setAttribute(ERROR, errorType);
    span.setStatus(StatusCode.ERROR, error);
  }

  private static SpanContext contextOf(TraceContext caller) {
    return SpanContext.createFromRemoteParent(
        caller.traceId(),
        caller.spanId(),
        caller.isSampled() ? TraceFlags.getSampled() : TraceFlags.getDefault(),
        TraceState.getDefault());
  }

  /** The context of a span as requests carry it. */
  static TraceContext contextOf(Span span) {
    SpanContext context = span.getSpanContext();
    return new TraceContext(
        String.join(
            "-", "00", context.getTraceId(), context.getSpanId(), context.getTraceFlags().asHex()));
  }
}
