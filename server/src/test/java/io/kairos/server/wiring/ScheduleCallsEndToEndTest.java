package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.header;
import static io.kairos.server.wiring.Application.keyed;
import static io.kairos.server.wiring.Application.value;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.cli.text.ApiMessages;
import io.kairos.client.Backfill;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleClient;
import io.kairos.client.ScheduleQuery;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.TaskQuery;
import io.kairos.client.schedule.Fire;
import io.kairos.client.schedule.FireQuery;
import io.kairos.client.schedule.PlannedFire;
import io.kairos.client.schedule.Preview;
import io.kairos.client.schedule.TriggeredFire;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedKafka;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Schedules over gRPC and REST on a whole node, with real Postgres and Kafka. */
class ScheduleCallsEndToEndTest {
  private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
  private static final String OUT = RUN + ".out";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @AutoClose private static final RunningNode node = Configured.started(Configured.route(RUN));

  @AutoClose
  private static final Application application =
      new Application(EmbeddedKafka.shared().bootstrapServers());

  @AutoClose
  private static final KairosClient client = KairosClient.connect(Configured.address(node));

  private static final HttpClient http = HttpClient.newHttpClient();

  private static ScheduleClient schedules() {
    return client.schedules();
  }

  private static HttpRequest.Builder rest(String path) {
    return HttpRequest.newBuilder(URI.create("http://" + Configured.address(node) + path))
        .header("content-type", "application/json");
  }

  private static JsonNode done(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  /** Asks again until there is something; each question is a call of the node. */
  private static <T> List<T> eventually(Supplier<List<T>> question) {
    long untilNanos = System.nanoTime() + PATIENCE.toNanos();
    List<T> found = question.get();
    while (found.isEmpty() && System.nanoTime() - untilNanos < 0) {
      found = question.get();
    }
    assertThat(found).isNotEmpty();
    return found;
  }

  private static ScheduleSpec.Builder everySecond(String name) {
    return ScheduleSpec.named(name).every(Duration.ofSeconds(1));
  }

  @Test
  void ph01_ph05_created_over_grpc_it_fires_tasks_for_a_handler() throws Exception {
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    try (Worker _ =
        Configured.worker(
            Configured.address(node),
            "e2e-report",
            PayloadCodec.utf8(),
            (payload, context) -> performed.add(payload))) {

      ScheduleStatus created =
          schedules().create(everySecond("grpc").handler("e2e-report").payload("rows").build());
      assertThat(performed.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("rows");
      assertThat(performed.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("rows");

      assertThat(created.nextFires()).hasSize(10);
    }
    List<Fire> fired = schedules().fires(FireQuery.of("grpc").decisions(Fire.Decision.FIRED));
    schedules().delete("grpc");
    assertThat(fired).hasSizeGreaterThanOrEqualTo(2);
    assertThat(fired)
        .extracting(fire -> String.valueOf(fire.executionId()))
        .doesNotHaveDuplicates()
        .isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(schedules().list(ScheduleQuery.all().prefix("grpc"))).isEmpty();
  }

  @Test
  void ph05_ph09_ph10_created_over_rest_it_publishes_messages_on_a_topic() throws Exception {
    done(
        rest("/v1/schedules")
            .POST(
                BodyPublishers.ofString(
                    """
                    {"name": "over/rest", "every": "1s",
                     "target": {"topic": {"name": "%s", "key": "cmVzdA=="}, "text": "tick"}}
                    """
                        .formatted(OUT))));

    ConsumerRecord<byte[], byte[]> record = application.receive(OUT, 1, keyed("rest")).getFirst();
    JsonNode shown = done(rest("/v1/schedules/over%2Frest").GET());
    JsonNode fires = done(rest("/v1/schedules/over%2Frest/fires?decisions=FIRED").GET());
    done(rest("/v1/schedules/over%2Frest").DELETE());

    assertThat(value(record)).isEqualTo("tick");
    assertThat(fires.findValuesAsText("executionId"))
        .contains(header(record, "kairos-execution-id"));
    assertThat(shown.at("/description").asText()).startsWith("every ");
    assertThat(shown.at("/policies/overlap").asText()).isEqualTo("ALLOW_ALL");
    assertThat(done(rest("/v1/schedules?prefix=over").GET()).at("/schedules")).isEmpty();
  }

  @Test
  void what_a_replicated_cron_decides_fires_when_it_asks() {
    schedules()
        .create(
            everySecond("agreed")
                .handler("e2e-agreed")
                .decider(ScheduleSpec.Decider.REPLICATED)
                .build());

    List<Fire> fired =
        eventually(() -> {
          assertThat(decideDue("agreed").at("/schedules/0/decider").asText())
              .isEqualTo("REPLICATED");
          return schedules().fires(FireQuery.of("agreed").decisions(Fire.Decision.FIRED));
        });
    String next = decideDue("agreed").at("/schedules/0/nextFireTime").asText();
    String why = schedules().explain("agreed").text();
    schedules().delete("agreed");

    assertThat(fired).hasSize(1);
    assertThat(Instant.parse(next)).isAfter(fired.getFirst().fireTime());
    assertThat(why).contains("A replicated cron decides it");
  }

  private static JsonNode decideDue(String name) {
    String request = "{\"names\": [\"%s\"], \"upTo\": \"%s\"}".formatted(name, Instant.now());
    try {
      return done(rest("/v1/schedules:decideDue").POST(BodyPublishers.ofString(request)));
    } catch (Exception e) {
      throw new AssertionError("DecideDue has no answer", e);
    }
  }

  @Test
  void a_preview_says_when_and_stores_nothing() {
    Preview preview =
        schedules()
            .preview(
                ScheduleSpec.named("")
                    .cron("30 2 * * *")
                    .zone("Europe/Berlin")
                    .dstGap(ScheduleSpec.DstGap.SKIP)
                    .build(),
                Instant.parse("2030-03-29T12:00:00Z"),
                3);

    assertThat(preview.fires())
        .extracting(PlannedFire::fireTime)
        .contains(Instant.parse("2030-03-30T01:30:00Z"), Instant.parse("2030-04-01T00:30:00Z"));
    assertThat(preview.fires()).extracting(PlannedFire::skipped).contains(Fire.Reason.DST_GAP);
    assertThat(schedules().list(ScheduleQuery.all()))
        .extracting(ScheduleStatus::name)
        .doesNotContain("");
  }

  @Test
  void ph08_ph20_what_passes_while_it_is_paused_is_skipped_and_the_history_says_so() {
    schedules().create(everySecond("paused").handler("e2e-nobody").build());

    assertThat(schedules().pause("paused", "the move").note()).isEqualTo("the move");
    assertThat(schedules().explain("paused").text()).contains("paused").contains("the move");
    List<Fire> skipped =
        eventually(() -> {
          schedules().pause("paused", "again");
          schedules().resume("paused");
          return schedules().fires(FireQuery.of("paused").reasons(Fire.Reason.PAUSED));
        });

    ScheduleStatus resumed = schedules().get("paused");
    assertThat(resumed.state()).isEqualTo(ScheduleStatus.State.ACTIVE);
    assertThat(resumed.nextFireTime()).isAfter(skipped.getFirst().fireTime());
    assertThat(schedules().explain("paused", skipped.getFirst().fireTime()).text())
        .contains("the schedule was paused");
    schedules().delete("paused");
  }

  @Test
  void the_history_says_that_a_former_run_had_not_ended() {
    schedules().create(everySecond("overlaps").handler("e2e-nobody").build());

    Fire skipped =
        eventually(() -> schedules().fires(FireQuery.of("overlaps").reasons(Fire.Reason.OVERLAP)))
            .getFirst();

    assertThat(skipped.decision()).isEqualTo(Fire.Decision.SKIPPED);
    assertThat(skipped.explanation()).isEqualTo("skipped: a former run had not ended");
    assertThat(schedules().fires(FireQuery.of("overlaps").decisions(Fire.Decision.FIRED)))
        .hasSize(1);
    schedules().delete("overlaps");
  }

  @Test
  void a_trigger_fires_once_for_a_request_id_also_while_it_is_paused() {
    schedules()
        .create(ScheduleSpec.named("trigger").cron("@yearly").handler("e2e-triggered").build());
    schedules().pause("trigger", "");

    TriggeredFire first = schedules().trigger("trigger", "deploy-7");
    TriggeredFire again = schedules().trigger("trigger", "deploy-7");

    assertThat(first.duplicate()).isFalse();
    assertThat(again.duplicate()).isTrue();
    TaskId run = requireNonNull(first.fire().executionId());
    assertThat(again.fire().executionId()).isEqualTo(run);
    assertThat(client.get(run).state()).isIn(TaskState.NEW, TaskState.ENQUEUED);
    assertThat(client.list(TaskQuery.all().handler("e2e-triggered")).tasks()).hasSize(1);
    schedules().delete("trigger");
  }

  @Test
  void a_backfill_fires_each_fire_time_of_a_range_once_for_a_request_id() {
    schedules()
        .create(ScheduleSpec.named("backfill").cron("0 12 * * *").handler("e2e-backfill").build());
    Backfill january =
        Backfill.of(
                "backfill",
                Instant.parse("2020-01-01T00:00:00Z"),
                Instant.parse("2020-01-31T23:00:00Z"))
            .requestId("january");

    Backfill.Result first = schedules().backfill(january);
    Backfill.Result again = schedules().backfill(january);

    assertThat(first.fired()).isEqualTo(31);
    assertThat(again.fired()).isZero();
    assertThat(again.duplicates()).isEqualTo(31);
    assertThat(client.list(TaskQuery.all().handler("e2e-backfill")).tasks()).hasSize(31);
    assertThat(schedules().explain("backfill", Instant.parse("2020-01-07T12:00:00Z")).text())
        .isEqualTo("It fired by a backfill.");
    schedules().delete("backfill");
  }

  @Test
  void ph07_ph15_a_change_counts_from_now_on() {
    schedules().create(everySecond("changed").handler("e2e-nobody").build());
    long before = schedules().get("changed").generation();

    ScheduleStatus changed =
        schedules().update(ScheduleSpec.named("changed").cron("@yearly").build(), List.of());

    assertThat(changed.generation()).isEqualTo(before + 1);
    assertThat(ApiMessages.of(changed.spec()).getTarget().getHandler()).isEqualTo("e2e-nobody");
    assertThat(changed.nextFireTime()).isAfter(changed.since());
    schedules().delete("changed");
  }
}
