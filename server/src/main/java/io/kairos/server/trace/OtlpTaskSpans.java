package io.kairos.server.trace;

import io.kairos.domain.task.AttemptEnd;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.trace.SpanPeriod;
import io.kairos.engine.trace.TaskSpans;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Duration;
import java.util.Locale;

/**
 * Spans of tasks: {@code accept}, {@code hand out} and {@code settle}, all children of the caller's
 * span. The pause from accept to hand out is the wait.
 */
record OtlpTaskSpans(SpanWriter writer) implements TaskSpans {
  private static final AttributeKey<Boolean> DUPLICATE =
      AttributeKey.booleanKey("kairos.duplicate");
  private static final AttributeKey<Long> LATENESS = AttributeKey.longKey("kairos.lateness_us");
  private static final AttributeKey<Long> RETRY_DELAY =
      AttributeKey.longKey("kairos.retry_delay_ms");

  @Override
  public boolean isOn() {
    return true;
  }

  @Override
  public void accepted(Accepted task, TraceContext caller, SpanPeriod during) {
    SpanWriter.write(
        writer
            .ofTask(caller, "accept", task.queue().handler(), SpanKind.SERVER, during.sinceMicros())
            .setAttribute(SpanWriter.TASK, task.id().toString())
            .setAttribute(SpanWriter.MESSAGE, task.id().toString())
            .setAttribute(SpanWriter.DUE, EpochMicros.toInstant(task.dueMicros()).toString())
            .setAttribute(DUPLICATE, task.isDuplicate()),
        during);
  }

  @Override
  public void handedOut(
      ClaimedTask task, TraceContext caller, String worker, long readyMicros, SpanPeriod during) {
    SpanWriter.write(
        writer
            .ofTask(
                caller, "hand out", task.queue().handler(), SpanKind.INTERNAL, during.sinceMicros())
            .setAttribute(SpanWriter.TASK, task.task().id().toString())
            .setAttribute(SpanWriter.MESSAGE, task.task().id().toString())
            .setAttribute(SpanWriter.ATTEMPT, task.attempt())
            .setAttribute(SpanWriter.WORKER, worker)
            .setAttribute(SpanWriter.DUE, EpochMicros.toInstant(task.dueMicros()).toString())
            .setAttribute(LATENESS, during.untilMicros() - readyMicros),
        during);
  }

  @Override
  public void settled(FencedTask task, TraceContext caller, AttemptEnd end, SpanPeriod during) {
    settle("settle", task, caller, end, during);
  }

  @Override
  public void lapsed(FencedTask task, TraceContext caller, AttemptEnd end, SpanPeriod during) {
    settle("reap", task, caller, end, during);
  }

  private void settle(
      String operation, FencedTask task, TraceContext caller, AttemptEnd end, SpanPeriod during) {
    Span span =
        writer
            .below(caller, operation, SpanKind.INTERNAL, during.sinceMicros())
            .setAttribute(SpanWriter.SYSTEM, "kairos")
            .setAttribute(SpanWriter.OPERATION, operation)
            .setAttribute(SpanWriter.TASK, task.id().toString())
            .setAttribute(SpanWriter.MESSAGE, task.id().toString())
            .startSpan();
    switch (end) {
      case AttemptEnd.Finish(TaskState state, String error, String errorClass, _, _) -> {
        span.setAttribute(SpanWriter.OUTCOME, state.name().toLowerCase(Locale.ROOT));
        if (state == TaskState.FAILED || state == TaskState.DEAD) {
          SpanWriter.fail(span, errorClass, error);
        }
      }
      case AttemptEnd.Retry retry -> {
        span.setAttribute(SpanWriter.OUTCOME, "retry_later");
        span.setAttribute(SpanWriter.ERROR, retry.errorClass());
        span.setAttribute(RETRY_DELAY, retry.delay().toMillis());
      }
      case AttemptEnd.GiveBack _ -> span.setAttribute(SpanWriter.OUTCOME, "not_begun");
      case AttemptEnd.PutOff(Duration delay) -> {
        span.setAttribute(SpanWriter.OUTCOME, "snoozed");
        span.setAttribute(RETRY_DELAY, delay.toMillis());
      }
    }
    SpanWriter.end(span, during.untilMicros());
  }
}
