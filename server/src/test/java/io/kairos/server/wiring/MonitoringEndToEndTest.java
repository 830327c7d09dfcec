package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.message;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.client.HandlerChange;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskRequest;
import io.kairos.client.error.QuotaExceededException;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.queue.HandlerStatus;
import io.kairos.client.queue.QueueLimit;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.monitoring.AlertRules;
import io.kairos.server.monitoring.Dashboard;
import io.kairos.server.monitoring.PrometheusProgram;
import io.kairos.server.monitoring.PrometheusServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes and a replica that do work of every kind, their metrics, and a Prometheus that reads them
 * and answers every query of the dashboard and of the alert rules.
 */
@Timeout(240)
class MonitoringEndToEndTest {
  private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
  private static final String WINDOW = "10s";

  /** The replicas of this test are on Ratis. */
  private static final Pattern ONLY_WITH_LIARS = Pattern.compile("kairos_replica_(?!ready)");

  private static final long COMPONENT = 1;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration ROUND = Duration.ofMillis(500);
  private static final Path DOCS = Path.of("../docs");

  /** A number of values that has a bound, whatever users do. */
  private static final Set<String> BOUNDED_LABELS =
      Set.of(
          "answer",
          "call",
          "cause",
          "code",
          "from",
          "handler", // the first hundred
          "holder",
          "kind",
          "le",
          "method",
          "outcome",
          "path",
          "percentile",
          "priority", // of the first hundred queues
          "reason",
          "replica",
          "route", // of the configuration
          "status",
          "verdict");

  private static final Pattern HELP = Pattern.compile("(?m)^# HELP (\\w+) (.+)$");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\w+) (\\w+)$");
  private static final Pattern LABEL = Pattern.compile("[{,](\\w+)=\"");

  @TempDir private static Path folder;

  @AutoClose private static KairosClient client;
  @AutoClose private static Application application;
  @AutoClose private static Worker worker;

  @SuppressWarnings("UnusedVariable") // closed at the end
  @AutoClose
  private static PoolEndpoint endpoint;

  @AutoClose private static Replicas replicas;
  @AutoClose private static RunningNode first;
  @AutoClose private static RunningNode second;

  @BeforeAll
  static void start() throws Exception {
    PrometheusProgram.requireInstalled();
    String database = EmbeddedPostgres.shared().newDatabase();
    String[] settings = Configured.route(RUN);
    first = Configured.startedOn(database, settings);
    client = KairosClient.connect(Configured.address(first));
    application = new Application(EmbeddedKafka.shared().bootstrapServers());
    worker =
        Worker.connect(Configured.address(first))
            .handle("mail", PayloadCodec.bytes(), (_, _) -> {})
            .handle(
                "fails",
                PayloadCodec.bytes(),
                (_, _) -> {
                  throw new IllegalStateException("as asked for");
                })
            .handle(
                "hopeless",
                PayloadCodec.bytes(),
                (_, _) -> {
                  throw new FatalFailure("as asked for");
                });
    worker.start();
    endpoint = PoolEndpoint.of(client, "shop", _ -> {});
    client.handlers().limit(new QueueLimit("mail", 50, 100, null, null, 0));
    client.handlers().change(HandlerChange.of("few").maxUnfinished(1L));
    client
        .schedules()
        .create(
            ScheduleSpec.named("every-second")
                .every(Duration.ofSeconds(1))
                .handler("mail")
                .build());
    replicas =
        new Replicas(
            1,
            folder,
            "replica.cluster=" + RUN,
            "replica.node=http://" + Configured.address(first));
    Replicas.await("ready", () -> replicas.replica(0).obstacles().isEmpty());
    replicas
        .calls(0)
        .putCronTable(
            PutCronTableRequest.newBuilder()
                .setComponent(COMPONENT)
                .setTick(Durations.fromMillis(200))
                .build());
    replicas
        .calls(0)
        .putCronEntry(
            PutCronEntryRequest.newBuilder()
                .setEntry(
                    CronEntry.newBuilder()
                        .setComponent(COMPONENT)
                        .setPosition(1)
                        .setEvery(Durations.fromSeconds(1))
                        .setEnqueueTask(
                            CronEntry.EnqueueTask.newBuilder()
                                .setHandler("mail")
                                .setPayload(ByteString.copyFromUtf8("now"))))
                .build());
    work();
    Replicas.await(
        "a dead task, a failed one and a dead letter",
        () -> {
          List<HandlerStatus> handlers = client.handlers().list();
          return handlers.stream().anyMatch(handler -> handler.dead() > 0)
              && handlers.stream().anyMatch(handler -> handler.failed() > 0)
              && first.metrics().contains("reason=\"missing-id\",route=\"only\"} 1.0");
        });
    // It counts the backlogs of handlers when it starts, and then once a minute.
    second = Configured.startedOn(database, settings);
  }

  /** Some work of each kind. */
  private static void work() {
    for (int i = 0; i < 5; i++) {
      client.schedule(TaskRequest.to("mail").build());
    }
    client.schedule(TaskRequest.to("fails").retryPolicy(RetryPolicy.attempts(1)).build());
    client.schedule(TaskRequest.to("hopeless").build());
    client.schedule(TaskRequest.to("nobody").build());
    client.schedule(TaskRequest.toPool("shop", "/").build());
    refused(() -> client.schedule(TaskRequest.to("few").build()));
    application.send(
        message(
            RUN + ".in",
            null,
            "body",
            "kairos-id",
            UUID.randomUUID().toString(),
            "kairos-delay",
            "PT0.3S"));
    application.send(message(RUN + ".in", null, "body", "kairos-delay", "PT0.3S"));
  }

  private static void refused(Runnable call) {
    try {
      call.run();
    } catch (QuotaExceededException expected) {
      // an answer that is not OK
    }
  }

  private static Stream<String> metrics() {
    return Stream.of(first, second, replicas.replica(0)).map(ServingProcess::metrics);
  }

  private static Stream<MatchResult> found(Pattern what) {
    return metrics().flatMap(text -> what.matcher(text).results());
  }

  private static String name(MatchResult found) {
    return requireNonNull(found.group(1));
  }

  @Test
  void promtool_has_no_objection_to_the_metrics() throws Exception {
    for (String text : metrics().toList()) {
      assertThat(PrometheusProgram.complaints(text)).isEmpty();
    }
  }

  @Test
  void every_metric_has_a_help_a_known_prefix_and_labels_that_are_bounded() {
    Map<String, String> helps = new TreeMap<>();
    found(HELP).forEach(help -> helps.put(name(help), requireNonNull(help.group(2))));

    assertThat(found(TYPE).map(MonitoringEndToEndTest::name)).isSubsetOf(helps.keySet());
    assertThat(helps.keySet())
        .allSatisfy(name -> assertThat(name).matches("(kairos|jvm|process|system)_.*"));
    assertThat(
            metrics()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("kairos_"))
                .flatMap(line -> LABEL.matcher(line).results())
                .map(MonitoringEndToEndTest::name)
                .collect(Collectors.toSet()))
        .isSubsetOf(BOUNDED_LABELS);
  }

  @Test
  void the_list_of_metrics_in_the_documentation_is_that_of_the_processes() throws Exception {
    Set<String> known = new TreeSet<>();
    found(TYPE)
        .map(MonitoringEndToEndTest::name)
        .filter(name -> name.startsWith("kairos_") && !name.endsWith("_max"))
        .forEach(known::add);
    // They need tasks that wait in memory, a schedule that replicas decide, TLS, a limit by key, or
    // a
    // log of replicas that may lie.
    Set<String> rare =
        Set.of(
            "kairos_replica_agreed_time_seconds",
            "kairos_replica_connected",
            "kairos_replica_forked",
            "kairos_replica_occurrences_total",
            "kairos_replica_round",
            "kairos_replica_silent",
            "kairos_replica_strangers_total",
            "kairos_queue_queued",
            "kairos_cron_schedule_calls_total",
            "kairos_edge_certificate_refused_total",
            "kairos_edge_certificate_remaining_seconds",
            "kairos_edge_handshakes_failed_total",
            "kairos_limit_max_running",
            "kairos_limit_names",
            "kairos_limit_running",
            "kairos_limit_waiting");

    Set<String> listed =
        Files.readString(DOCS.resolve("metrics.md"))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(3, line.indexOf('`', 3)).replaceFirst("\\{.*", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    listed.removeAll(rare);
    known.removeAll(rare);

    assertThat(listed).containsExactlyElementsOf(known);
  }

  @Test
  void prometheus_answers_every_query_of_the_dashboard_and_of_the_alerts() throws Exception {
    Map<String, String> open = new LinkedHashMap<>();
    Dashboard.queries().forEach(query -> open.put(query.over(WINDOW), "panel " + query.panel()));
    AlertRules.all().stream()
        .filter(rule -> !rule.name().startsWith("KairosCertificate")) // these need TLS
        .forEach(rule -> rule.values().forEach(value -> open.put(value, "alert " + rule.name())));
    open.keySet().removeIf(ONLY_WITH_LIARS.asPredicate());
    assertThat(open).hasSizeGreaterThan(100);
    try (PrometheusServer prometheus =
        PrometheusServer.start(
            Files.createDirectory(folder.resolve("prometheus")),
            Map.of(
                "kairos",
                List.of(Configured.address(first), Configured.address(second)),
                "kairos-replica",
                List.of("127.0.0.1:" + replicas.replica(0).port())))) {
      long sinceNanos = System.nanoTime();
      while (!open.isEmpty() && System.nanoTime() - sinceNanos < PATIENCE.toNanos()) {
        work();
        LockSupport.parkNanos(ROUND.toNanos());
        if (prometheus.isReady()) {
          answered(prometheus, open);
        }
      }

      assertThat(open).as("without data").isEmpty();
      assertThat(prometheus.health())
          .hasSameSizeAs(AlertRules.all())
          .allSatisfy((_, health) -> assertThat(health).isEqualTo("ok"));
    }
  }

  /** Removes the queries that have a value by now. */
  private static void answered(PrometheusServer prometheus, Map<String, String> open)
      throws Exception {
    for (String query : List.copyOf(open.keySet())) {
      List<JsonNode> result = prometheus.query(query);
      if (result.stream()
          .anyMatch(series -> !series.path("value").path(1).asText().equals("NaN"))) {
        open.remove(query);
      }
    }
  }
}
