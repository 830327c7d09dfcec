package io.kairos.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.junit.KairosExtension;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TracedTasksTest {
  private static final SpanContext CALLER =
      SpanContext.create(
          "4bf92f3577b34da6a3ce929d0e0e4736",
          "00f067aa0ba902b7",
          TraceFlags.getSampled(),
          TraceState.getDefault());

  @RegisterExtension static final KairosExtension KAIROS = new KairosExtension();

  @Test
  @SuppressWarnings("try") // a scope is there to be closed
  void what_a_handler_does_belongs_to_the_trace_of_who_scheduled_it() {
    List<SpanContext> seen = new CopyOnWriteArrayList<>();
    // Without the SDK a tracer's spans are those of their parents, which is all there is to see.
    try (TracedTasks tasks =
        new TracedTasks(
            OpenTelemetry.noop(),
            order -> seen.add(Span.current().getSpanContext()),
            KAIROS.address())) {
      try (Scope scope = Span.wrap(CALLER).makeCurrent()) {
        tasks.schedule("42");
      }
      KAIROS.awaitQuiescence();
    }

    assertThat(seen).hasSize(1);
    assertThat(seen.getFirst().getTraceId()).isEqualTo(CALLER.getTraceId());
    assertThat(seen.getFirst().getSpanId()).isEqualTo(CALLER.getSpanId());
    assertThat(seen.getFirst().isSampled()).isTrue();
  }
}
