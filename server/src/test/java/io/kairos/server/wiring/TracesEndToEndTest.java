package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.keyed;
import static io.kairos.server.wiring.Application.message;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskRequest;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.opentelemetry.KairosTelemetry;
import io.kairos.client.push.Push;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.server.wiring.TraceReceiver.Received;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node, an application and a worker, and one receiver of the spans of all three. */
class TracesEndToEndTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";

  @AutoClose private static final TraceReceiver receiver = TraceReceiver.start();

  @AutoClose
  private static final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .setResource(
                      Resource.create(
                          Attributes.of(AttributeKey.stringKey("service.name"), "shop")))
                  .addSpanProcessor(
                      SimpleSpanProcessor.create(
                          OtlpHttpSpanExporter.builder()
                              .setEndpoint(receiver.url() + "/v1/traces")
                              .build()))
                  .build())
          .build();

  private static final KairosTelemetry telemetry = KairosTelemetry.create(sdk);
  private static final String run = "traces-" + UUID.randomUUID();

  @AutoClose private static final RunningNode node = node();

  @AutoClose
  private static final KairosClient client =
      KairosClient.builder(Configured.address(node)).intercept(telemetry).build();

  /** A client of an application that is not traced. */
  @AutoClose
  private static final KairosClient plain = KairosClient.connect(Configured.address(node));

  private static RunningNode node() {
    List<String> settings = new ArrayList<>(List.of(Configured.route(run)));
    settings.add("tracing.otlp.endpoint=" + receiver.url());
    settings.add("tracing.otlp.headers=authorization=Bearer abc");
    // A lease that lapses on a busy machine makes other spans.
    settings.add("tasks.lease=30s");
    return Configured.started(settings.toArray(String[]::new));
  }

  private static Worker worker() {
    return Worker.builder(Configured.address(node)).intercept(telemetry).build();
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }

  private static Instant begin(Received span) {
    return instant(span.span().getStartTimeUnixNano());
  }

  private static Instant end(Received span) {
    return instant(span.span().getEndTimeUnixNano());
  }

  private static Received only(List<Received> spans, String name) {
    List<Received> found = spans.stream().filter(span -> span.name().equals(name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.get(0);
  }

  /** The spans of a name, in the order of their beginnings. */
  private static List<Received> some(List<Received> spans, String name) {
    return spans.stream()
        .filter(span -> span.name().equals(name))
        .sorted(Comparator.comparing(TracesEndToEndTest::begin))
        .toList();
  }

  @Test
  void a_task_is_one_linked_picture_from_its_caller_through_a_delay_and_two_attempts_to_its_result()
      throws Exception {
    assertOnePicture("invoice", Duration.ofSeconds(1));
  }

  @Test
  @Tag("long")
  void a_task_that_waits_for_a_minute_is_one_linked_picture() throws Exception {
    assertOnePicture("invoice-later", Duration.ofMinutes(1));
  }

  private static void assertOnePicture(String handler, Duration delay) throws Exception {
    Span order = sdk.getTracer("shop").spanBuilder("order").startSpan();
    TaskId id;
    try (Scope _ = order.makeCurrent()) {
      id = client.schedule(TaskRequest.to(handler).payload("42").delay(delay).build());
    } finally {
      order.end();
    }
    String trace = order.getSpanContext().getTraceId();
    List<Received> spans;
    try (Worker worker = worker()) {
      worker.handle(
          handler,
          PayloadCodec.utf8(),
          (_, context) -> {
            if (context.attempt() == 1) {
              throw new RetryLater("the printer is busy", Duration.ofMillis(50));
            }
          });
      worker.start();
      spans = receiver.await(9, span -> span.trace().equals(trace));
    }

    Received caller = only(spans, "order");
    Received schedule = only(spans, "schedule " + handler);
    Received accept = only(spans, "accept " + handler);
    List<Received> handOuts = some(spans, "hand out " + handler);
    List<Received> performs = some(spans, "perform " + handler);
    List<Received> settles = some(spans, "settle");
    assertThat(spans).hasSize(9);
    assertThat(schedule.parent()).isEqualTo(caller.id());
    assertThat(spans)
        .filteredOn(span -> !span.equals(caller) && !span.equals(schedule))
        .allSatisfy(span -> {
          assertThat(span.parent()).isEqualTo(schedule.id());
          assertThat(span.attribute("kairos.task.id")).isEqualTo(id.toString());
        });
    assertThat(List.of(accept, handOuts.get(0), settles.get(0)))
        .extracting(Received::service)
        .containsOnly("kairos");
    assertThat(List.of(caller, schedule, performs.get(0)))
        .extracting(Received::service)
        .containsOnly("shop");
    assertThat(performs)
        .allSatisfy(span ->
            assertThat(span.span().getLinksList())
                .extracting(link -> link.getSpanId())
                .containsExactly(schedule.span().getSpanId()));

    Instant due = Instant.parse(accept.attribute("kairos.due_at"));
    assertThat(end(accept)).isBefore(due);
    assertThat(begin(handOuts.get(0))).isAfterOrEqualTo(due);
    assertThat(begin(performs.get(0))).isAfterOrEqualTo(begin(handOuts.get(0)));
    assertThat(begin(performs.get(1))).isAfterOrEqualTo(end(performs.get(0)));
    assertThat(end(settles.get(1))).isAfterOrEqualTo(end(performs.get(1)));

    assertThat(handOuts)
        .extracting(span -> span.attribute("kairos.attempt"))
        .containsExactly("1", "2");
    assertThat(performs)
        .extracting(span -> span.attribute("kairos.attempt"))
        .containsExactly("1", "2");
    assertThat(performs)
        .extracting(span -> span.attribute("kairos.outcome"))
        .containsExactly("retry_later", "succeeded");
    assertThat(performs)
        .extracting(span -> span.span().getStatus().getCode())
        .containsExactly(StatusCode.STATUS_CODE_ERROR, StatusCode.STATUS_CODE_UNSET);
    assertThat(settles)
        .extracting(span -> span.attribute("kairos.outcome"))
        .containsExactly("retry_later", "succeeded");
  }

  @Test
  void a_task_whose_caller_records_nothing_has_no_spans_of_the_node() throws Exception {
    String unrecorded = "11112222333344445555666677778888";
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    try (Worker _ =
        Configured.worker(
            Configured.address(node), "quiet", PayloadCodec.utf8(), (x, _) -> performed.add(x))) {
      plain.schedule(
          TaskRequest.to("quiet")
              .payload("a")
              .traceparent("00-" + unrecorded + "-" + CALLER + "-00")
              .build());
      // Longer than a lease, as the answer that hands a task out is lost when the machine stalls.
      assertThat(performed.poll(90, TimeUnit.SECONDS)).isEqualTo("a");
      String recorded = "99992222333344445555666677778888";
      plain.schedule(
          TaskRequest.to("quiet")
              .payload("b")
              .traceparent("00-" + recorded + "-" + CALLER + "-01")
              .build());

      assertThat(receiver.await(3, span -> span.trace().equals(recorded)))
          .extracting(Received::name)
          .containsExactlyInAnyOrder("accept quiet", "hand out quiet", "settle");
      assertThat(receiver.await(0, span -> span.trace().equals(unrecorded))).isEmpty();
    }
    assertThat(receiver.authorizations()).contains("Bearer abc");
  }

  @Test
  void a_push_is_a_client_s_span_whose_context_the_endpoint_gets() throws Exception {
    BlockingQueue<Push> pushed = new LinkedBlockingQueue<>();
    String trace = "22222222333344445555666677778888";
    try (PoolEndpoint _ = PoolEndpoint.receiving(client, "traced", pushed::add)) {
      plain.schedule(
          TaskRequest.toPool("traced", "/")
              .payload("x")
              .traceparent("00-" + trace + "-" + CALLER + "-01")
              .build());

      Push got = requireNonNull(pushed.poll(30, TimeUnit.SECONDS));
      List<Received> spans = receiver.await(4, span -> span.trace().equals(trace));
      Received push = only(spans, "push pool:traced");
      assertThat(push.span().getKind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
      assertThat(push.parent()).isEqualTo(CALLER);
      assertThat(push.attribute("http.response.status_code")).isEqualTo("200");
      assertThat(got.traceparent().orElse("")).startsWith("00-" + trace + "-" + push.id() + "-");
    }
  }

  @Test
  void a_run_of_a_schedule_begins_a_trace_that_its_attempt_is_in() throws Exception {
    try (Worker worker = worker()) {
      worker.handle("nightly", PayloadCodec.bytes(), (_, _) -> {});
      worker.start();
      client
          .schedules()
          .create(
              ScheduleSpec.named("night").every(Duration.ofSeconds(1)).handler("nightly").build());

      Received perform =
          receiver.await(1, span -> span.name().equals("perform nightly")).getFirst();
      List<Received> spans = receiver.await(4, span -> span.trace().equals(perform.trace()));
      Received fire = only(spans, "fire night");
      assertThat(fire.parent()).isEmpty();
      assertThat(fire.attribute("kairos.task.id")).isEqualTo(perform.attribute("kairos.task.id"));
      assertThat(perform.parent()).isEqualTo(fire.id());
      assertThat(only(spans, "hand out nightly").parent()).isEqualTo(fire.id());
    } finally {
      client.schedules().delete("night");
    }
  }

  @Test
  void a_delayed_message_has_spans_where_it_was_taken_in_and_fired() throws Exception {
    try (Application application = new Application(EmbeddedKafka.shared().bootstrapServers())) {
      application.send(
          message(
              run + ".in",
              "k",
              "x",
              "kairos-id",
              "m1",
              "kairos-delay",
              "1000",
              "traceparent",
              "00-" + TRACE + "-" + CALLER + "-01"));
      assertThat(application.receive(run + ".out", 1, keyed("k"))).hasSize(1);
    }

    List<Received> spans = receiver.await(2, span -> span.trace().equals(TRACE));
    Received takeIn = only(spans, "take in");
    Received fire = only(spans, "fire");
    assertThat(List.of(takeIn.parent(), fire.parent())).containsOnly(CALLER);
    // A span of taking in ends after the transaction from which on the message may be fired.
    assertThat(begin(fire)).isAfterOrEqualTo(begin(takeIn));
  }
}
