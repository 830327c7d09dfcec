package io.kairos.client.opentelemetry;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.Optional;

/** Writes and reads a span as the W3C {@code traceparent} that nodes store with a task. */
final class TraceContextText {
  private static final String VERSION = "00";
  private static final int TRACE = 3;
  private static final int SPAN = 36;
  private static final int FLAGS = 53;
  private static final int LENGTH = 55;

  private TraceContextText() {}

  /** Returns the traceparent of a span; empty for an invalid one, as there is where none is. */
  static Optional<String> of(SpanContext span) {
    return span.isValid()
        ? Optional.of(
            String.join(
                "-", VERSION, span.getTraceId(), span.getSpanId(), span.getTraceFlags().asHex()))
        : Optional.empty();
  }

  /** Returns the span of a traceparent that a node has checked; invalid for an empty one. */
  static SpanContext read(String traceparent) {
    return traceparent.length() < LENGTH
        ? SpanContext.getInvalid()
        : SpanContext.createFromRemoteParent(
            traceparent.substring(TRACE, SPAN - 1),
            traceparent.substring(SPAN, FLAGS - 1),
            TraceFlags.fromHex(traceparent, FLAGS),
            TraceState.getDefault());
  }
}
