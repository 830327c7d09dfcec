package io.kairos.server.trace;

import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.push.PushSpans;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;

/**
 * The span {@code push} of each request to an endpoint, which is the parent of the endpoint's span.
 */
record OtlpPushSpans(SpanWriter writer) implements PushSpans {
  private static final AttributeKey<String> URL = AttributeKey.stringKey("url.full");
  private static final AttributeKey<Long> STATUS =
      AttributeKey.longKey("http.response.status_code");
  private static final int FIRST_ERROR = 400;

  @Override
  public PushSpan sending(
      ClaimedTask work, PoolName pool, String endpoint, TraceContext caller, long sinceMicros) {
    return new Request(
        writer
            .ofTask(caller, "push", pool, SpanKind.CLIENT, sinceMicros)
            .setAttribute(SpanWriter.TASK, work.task().id().toString())
            .setAttribute(SpanWriter.MESSAGE, work.task().id().toString())
            .setAttribute(SpanWriter.ATTEMPT, work.attempt())
            .setAttribute(URL, endpoint)
            .startSpan());
  }

  private record Request(Span span) implements PushSpan {
    @Override
    public TraceContext context() {
      return SpanWriter.contextOf(span);
    }

    @Override
    public void ended(int status, String error, long untilMicros) {
      if (status == 0) {
        SpanWriter.fail(span, "no answer", error);
      } else {
        span.setAttribute(STATUS, status);
        if (status >= FIRST_ERROR) {
          SpanWriter.fail(span, Integer.toString(status), "");
        }
      }
      SpanWriter.end(span, untilMicros);
    }
  }
}
