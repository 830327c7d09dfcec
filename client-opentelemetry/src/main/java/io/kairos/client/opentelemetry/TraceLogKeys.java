package io.kairos.client.opentelemetry;

import io.opentelemetry.api.trace.SpanContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The ids of a span in the MDC of the thread that works in it, by the names of OpenTelemetry's
 * conventions for logs that are not OTLP. Used on that thread only.
 */
final class TraceLogKeys {
  private static final String TRACE = "trace_id";
  private static final String SPAN = "span_id";

  private final @Nullable String trace = MDC.get(TRACE);
  private final @Nullable String span = MDC.get(SPAN);

  private TraceLogKeys() {}

  /** Sets the ids of a span on this thread; sets nothing for an invalid span. */
  static TraceLogKeys put(SpanContext span) {
    TraceLogKeys before = new TraceLogKeys();
    if (span.isValid()) {
      MDC.put(TRACE, span.getTraceId());
      MDC.put(SPAN, span.getSpanId());
    }
    return before;
  }

  /** Restores what the thread had before. */
  void restore() {
    restore(TRACE, trace);
    restore(SPAN, span);
  }

  private static void restore(String key, @Nullable String before) {
    if (before == null) {
      MDC.remove(key);
    } else {
      MDC.put(key, before);
    }
  }
}
