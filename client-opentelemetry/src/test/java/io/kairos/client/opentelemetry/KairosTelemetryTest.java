package io.kairos.client.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.client.TaskRequest;
import io.kairos.client.error.KairosException;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.NotBegun;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import io.kairos.client.task.ScheduledTask;
import io.kairos.client.task.TaskId;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class KairosTelemetryTest {
  private static final TaskId ID = TaskId.of("01890000-0000-7000-8000-000000000001");
  private static final TaskRequest TASK = TaskRequest.to("resize").build();
  private static final String CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetry sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .build();
  private final KairosTelemetry telemetry = KairosTelemetry.create(sdk);

  private SpanData only() {
    assertThat(spans.getFinishedSpanItems()).hasSize(1);
    return spans.getFinishedSpanItems().get(0);
  }

  private static CompletableFuture<List<ScheduledTask>> answer(List<TaskRequest> tasks) {
    return CompletableFuture.completedFuture(
        tasks.stream().map(task -> new ScheduledTask(ID, false)).toList());
  }

  @Test
  @SuppressWarnings("try") // a scope is there to be closed
  void a_scheduled_task_carries_the_span_of_its_call() {
    List<TaskRequest> sent = new ArrayList<>();
    Span caller = sdk.getTracer("test").spanBuilder("order").startSpan();
    try (Scope scope = caller.makeCurrent()) {
      telemetry.schedule(
          List.of(TASK),
          tasks -> {
            sent.addAll(tasks);
            return answer(tasks);
          });
    }

    SpanData span = only();
    assertThat(span.getName()).isEqualTo("schedule resize");
    assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(span.getParentSpanId()).isEqualTo(caller.getSpanContext().getSpanId());
    assertThat(span.getAttributes().get(TaskAttributes.TASK)).isEqualTo(ID.toString());
    assertThat(sent.get(0).traceparent())
        .contains(TraceContextText.of(span.getSpanContext()).orElseThrow());
  }

  @Test
  void the_tasks_of_one_call_share_a_span() {
    telemetry.schedule(List.of(TASK, TaskRequest.to("mail").build()), KairosTelemetryTest::answer);

    assertThat(only().getName()).isEqualTo("schedule tasks");
    assertThat(only().getAttributes().get(TaskAttributes.BATCH_SIZE)).isEqualTo(2);
  }

  @Test
  void a_trace_context_of_the_application_stays() {
    List<TaskRequest> sent = new ArrayList<>();
    telemetry.schedule(
        List.of(TaskRequest.to("resize").traceparent(CALLER).build()),
        tasks -> {
          sent.addAll(tasks);
          return answer(tasks);
        });

    assertThat(sent.get(0).traceparent()).contains(CALLER);
  }

  @Test
  void a_call_that_fails_is_an_error_of_its_span() {
    KairosException noNode = new KairosException("no node", new IllegalStateException());
    assertThat(telemetry.schedule(List.of(TASK), tasks -> CompletableFuture.failedFuture(noNode)))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCause(noNode);

    assertThat(only().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(only().getAttributes().get(TaskAttributes.ERROR))
        .isEqualTo(KairosException.class.getName());
  }

  @Test
  void the_span_of_a_call_without_a_thread_ends_with_its_answer() {
    CompletableFuture<List<ScheduledTask>> answer = new CompletableFuture<>();
    telemetry.schedule(List.of(TASK), tasks -> answer);
    assertThat(spans.getFinishedSpanItems()).isEmpty();

    answer.complete(List.of(new ScheduledTask(ID, true)));

    assertThat(only().getAttributes().get(TaskAttributes.DUPLICATE)).isTrue();
  }

  @Test
  void an_attempt_is_in_the_trace_of_its_caller_and_linked_to_it() throws Exception {
    List<String> seen = new ArrayList<>();
    telemetry.perform(
        new TestContext(CALLER),
        context -> {
          seen.add(Span.current().getSpanContext().getSpanId());
          seen.add(context.traceparent().orElseThrow());
          seen.add(MDC.get("trace_id") + " " + MDC.get("span_id"));
        });

    SpanData span = only();
    assertThat(span.getName()).isEqualTo("perform resize");
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(span.getTraceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(span.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
    assertThat(span.getLinks()).hasSize(1);
    assertThat(span.getLinks().get(0).getSpanContext().getSpanId()).isEqualTo("00f067aa0ba902b7");
    assertThat(span.getAttributes().get(TaskAttributes.TASK)).isEqualTo(ID.toString());
    assertThat(span.getAttributes().get(TaskAttributes.ATTEMPT)).isEqualTo(2);
    assertThat(span.getAttributes().get(TaskAttributes.OUTCOME)).isEqualTo("succeeded");
    assertThat(seen)
        .containsExactly(
            span.getSpanId(),
            TraceContextText.of(span.getSpanContext()).orElseThrow(),
            span.getTraceId() + " " + span.getSpanId());
    assertThat(MDC.getCopyOfContextMap()).isIn(null, Map.of());
  }

  @Test
  void an_attempt_in_a_trace_of_its_own_is_only_linked_to_its_caller() throws Exception {
    telemetry.withAttemptsInOwnTraces().perform(new TestContext(CALLER), context -> {});

    assertThat(only().getTraceId()).isNotEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(only().getLinks().get(0).getSpanContext().getTraceId())
        .isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
  }

  @Test
  void an_attempt_without_a_caller_begins_a_trace() throws Exception {
    telemetry.perform(new TestContext(""), context -> {});

    assertThat(only().getParentSpanContext().isValid()).isFalse();
    assertThat(only().getLinks()).isEmpty();
  }

  @Test
  void a_failed_attempt_is_an_error_that_says_what_follows() {
    assertThat(ended(new IllegalStateException("broken"), null))
        .isEqualTo("retry_later ERROR java.lang.IllegalStateException");
    assertThat(ended(new RetryLater("busy", Duration.ofSeconds(2)), null))
        .isEqualTo("retry_later ERROR " + RetryLater.class.getName());
    assertThat(ended(new FatalFailure("never"), null))
        .isEqualTo("fatal ERROR " + FatalFailure.class.getName());
    assertThat(ended(new InterruptedException(), CancelReason.EXECUTION_TIMEOUT))
        .isEqualTo("retry_later ERROR " + InterruptedException.class.getName());
  }

  @Test
  void an_attempt_that_gave_in_or_did_not_begin_is_no_error() {
    assertThat(ended(new NotBegun("later"), null)).isEqualTo("not_begun UNSET null");
    assertThat(ended(new Snooze(Duration.ofMinutes(1)), null)).isEqualTo("snoozed UNSET null");
    assertThat(ended(new CancellationException(), CancelReason.LEASE_LOST))
        .isEqualTo("cancelled UNSET null");
  }

  private String ended(Exception thrown, @Nullable CancelReason reason) {
    spans.reset();
    assertThatThrownBy(() ->
            telemetry.perform(
                new TestContext(CALLER, Optional.ofNullable(reason)),
                context -> {
                  throw thrown;
                }))
        .isSameAs(thrown);
    SpanData span = only();
    return span.getAttributes().get(TaskAttributes.OUTCOME)
        + " "
        + span.getStatus().getStatusCode()
        + " "
        + span.getAttributes().get(TaskAttributes.ERROR);
  }

  @Test
  void without_an_sdk_nothing_is_added() throws Exception {
    KairosTelemetry off = KairosTelemetry.create(OpenTelemetry.noop());
    List<TaskRequest> sent = new ArrayList<>();
    off.schedule(
        List.of(TASK),
        tasks -> {
          sent.addAll(tasks);
          return answer(tasks);
        });
    List<String> seen = new ArrayList<>();
    off.perform(new TestContext(CALLER), context -> seen.add(context.traceparent().orElse("")));

    assertThat(sent.get(0).traceparent()).isEmpty();
    assertThat(seen).containsExactly(CALLER);
  }
}
