package io.kairos.server.trace;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TraceContext;
import io.kairos.engine.trace.RunSpans;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Instant;

/**
 * The root span {@code fire} of each run. A run that is not sampled carries that decision to its
 * worker.
 */
record OtlpRunSpans(SpanWriter writer) implements RunSpans {
  private static final AttributeKey<String> SCHEDULE = AttributeKey.stringKey("kairos.schedule");
  private static final AttributeKey<String> FIRE_TIME = AttributeKey.stringKey("kairos.fire_time");

  @Override
  public RunSpan firing(ScheduleName schedule, Instant fireAt, TaskId run, long sinceMicros) {
    Span span =
        writer
            .root("fire " + schedule.value(), SpanKind.PRODUCER, sinceMicros)
            .setAttribute(SpanWriter.SYSTEM, "kairos")
            .setAttribute(SpanWriter.OPERATION, "fire")
            .setAttribute(SCHEDULE, schedule.value())
            .setAttribute(FIRE_TIME, fireAt.toString())
            .setAttribute(SpanWriter.TASK, run.toString())
            .setAttribute(SpanWriter.MESSAGE, run.toString())
            .startSpan();
    return new Fire(span);
  }

  private record Fire(Span span) implements RunSpan {
    @Override
    public TraceContext context() {
      return SpanWriter.contextOf(span);
    }

    @Override
    public void stored(long untilMicros) {
      SpanWriter.end(span, untilMicros);
    }
  }
}
