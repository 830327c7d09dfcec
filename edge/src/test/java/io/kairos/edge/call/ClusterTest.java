package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.api.v1.Cluster;
import io.kairos.api.v1.ClusterServiceGrpc;
import io.kairos.api.v1.GetClusterRequest;
import io.kairos.engine.cluster.ClusterFigures;
import io.kairos.engine.cluster.ClusterFigures.ClusterPeriod;
import io.kairos.engine.cluster.FigurePeriod;
import io.kairos.engine.cluster.LatenessCounts;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.WaitingSpan;
import io.kairos.engine.cluster.WorkFigures;
import io.kairos.engine.node.StoreUnavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls about all nodes. Where the clock stands still, an answer is fresh for ever. */
class ClusterTest {
  private final Edge edge = new Edge();

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void nodes_and_alarms_are_told_with_all_that_is_known() throws Exception {
    String body = edge.get("/v1/cluster").body();

    assertThat(body)
        .contains(
            "\"name\":\"db-7/11\"",
            "\"version\":\"1.2.3\"",
            "\"doors\":[\"tasks\",\"pools\"]",
            "\"clockOffset\":\"-0.003s\"",
            "\"load\":0.5",
            "\"heapBytes\":\"4096\"",
            "\"hiccup\":\"0.002s\"",
            "\"answering\":true",
            "\"dead\":true",
            "\"severity\":\"CRITICAL\"",
            "\"subject\":\"HANDLER\"",
            "\"text\":\"handler resize: nobody asks for it, 1,204 due\"");
  }

  @Test
  void however_many_ask_the_state_is_computed_once() throws Exception {
    CountDownLatch others = new CountDownLatch(1);
    edge.cluster.whileAsked = () -> awaitOrFail(others);
    Callable<Cluster> ask =
        () ->
            ClusterServiceGrpc.newBlockingStub(edge.channel)
                .getCluster(GetClusterRequest.getDefaultInstance());

    List<Cluster> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Cluster>> asked = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        asked.add(threads.submit(ask));
      }
      others.countDown();
      for (Future<Cluster> one : asked) {
        answers.add(one.get());
      }
    }
    answers.add(ask.call());

    assertThat(answers).hasSize(21).containsOnly(answers.getFirst());
    assertThat(edge.cluster.statesAsked).hasValue(1);
  }

  private static void awaitOrFail(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void figures_have_times_counts_and_percentiles() throws Exception {
    long period = FigurePeriod.of(Edge.NOW);
    PeriodFigures done =
        new PeriodFigures(
            new WorkFigures(
                1, 2, 3, LatenessCounts.ofOne(Duration.ofSeconds(2)), Duration.ofSeconds(9)),
            WorkFigures.NONE,
            4,
            5,
            6,
            7,
            8,
            9,
            Map.of(),
            Duration.ofMillis(11));
    edge.cluster.figures = new ClusterFigures(List.of(new ClusterPeriod(period, 2, done)), true);

    String body = edge.get("/v1/cluster/figures?after=2029-12-31T23:59:50Z").body();

    assertThat(body)
        .contains(
            "\"at\":\"2030-01-01T00:00:00Z\"",
            "\"accepted\":\"1\"",
            "\"begun\":\"2\"",
            "\"ended\":\"3\"",
            "\"p50\":\"2s\"",
            "\"p999\":\"2s\"",
            "\"max\":\"2s\"",
            "\"oldestOverdue\":\"9s\"",
            "\"failedAttempts\":\"4\"",
            "\"givenUp\":\"5\"",
            "\"fires\":\"7\"",
            "\"skippedFires\":\"8\"",
            "\"hiccup\":\"0.011s\"",
            "\"nodes\":2",
            "\"ownOnly\":true");
    assertThat(edge.cluster.afters).containsExactly(Optional.of(Edge.NOW.minusSeconds(10)));
  }

  @Test
  void what_waits_is_counted_for_the_span_that_is_asked_for_once() throws Exception {
    String hour = edge.get("/v1/cluster/waiting").body();
    edge.get("/v1/cluster/waiting?span=HOUR");
    edge.get("/v1/cluster/waiting?span=MONTH");
    edge.get("/v1/cluster/waiting?span=MONTH");

    assertThat(hour)
        .contains(
            "\"tasks\":\"7\"",
            "\"messages\":\"8\"",
            "\"fires\":\"9\"",
            "\"estimated\":true",
            "\"tasks\":{\"count\":\"100001\",\"estimated\":true}",
            "\"overdueMessages\":{\"count\":\"2\"");
    assertThat(edge.cluster.spansAsked).containsExactly(WaitingSpan.HOUR, WaitingSpan.MONTH);
    assertThat(edge.get("/v1/cluster/waiting?span=YEAR").statusCode()).isEqualTo(400);
  }

  @Test
  void who_asks_while_a_month_is_counted_anew_gets_the_last_count() throws Exception {
    String month = "/v1/cluster/waiting?span=MONTH";
    assertThat(edge.get(month).body()).contains("\"100001\"");
    CountDownLatch counted = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    edge.cluster.whileAsked =
        () -> {
          begun.countDown();
          awaitOrFail(counted);
        };
    edge.time = Edge.NOW.plusSeconds(59);

    assertThat(edge.get(month).body()).as("who begins the count").contains("\"100001\"");
    awaitOrFail(begun);
    assertThat(edge.get(month).body()).as("who comes meanwhile").contains("\"100001\"");
    edge.time = Edge.NOW.plusSeconds(60);
    Future<String> later;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      later = threads.submit(() -> edge.get(month).body());
      counted.countDown();
    }

    assertThat(later.get()).as("a count of a minute ago is too old").contains("\"100002\"");
    assertThat(edge.cluster.spansAsked).containsExactly(WaitingSpan.MONTH, WaitingSpan.MONTH);
  }

  @Test
  void who_asks_for_a_count_after_a_refusal_waits_for_the_next() throws Exception {
    String month = "/v1/cluster/waiting?span=MONTH";
    edge.get(month);
    edge.cluster.whileAsked =
        () -> {
          throw new StoreUnavailable("away");
        };
    edge.time = Edge.NOW.plusSeconds(6);
    edge.get(month);
    edge.time = Edge.NOW.plusSeconds(8);

    int status = edge.get(month).statusCode();
    for (int tries = 0; tries < 1_000 && status == 200; tries++) {
      status = edge.get(month).statusCode(); // the refusal may still be on its way
    }
    assertThat(status).isEqualTo(503);
  }

  @Test
  void groups_of_failures_are_found_once_for_all_who_ask_for_the_same_ones() throws Exception {
    edge.tasks.queues.whileFailuresAreFound = () -> edge.time = Edge.NOW.plusSeconds(1);
    Callable<String> ask = () -> edge.get("/v1/failureGroups?handler=7").body();

    List<String> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<String> one : threads.invokeAll(Collections.nCopies(12, ask))) {
        answers.add(one.get());
      }
    }
    edge.time = Edge.NOW.plusSeconds(19);
    answers.add(ask.call());

    assertThat(answers).hasSize(13).allMatch(body -> body.contains("no luck"));
    assertThat(edge.tasks.queues.failureQueries).hasSize(1);
    edge.get("/v1/failureGroups?handler=a");
    assertThat(edge.tasks.queues.failureQueries).hasSize(2);
    edge.time = Edge.NOW.plusSeconds(20);
    ask.call();
    assertThat(edge.tasks.queues.failureQueries).hasSize(3);
  }

  @Test
  void who_asks_while_the_store_is_away_is_told_so() throws Exception {
    edge.cluster.whileAsked =
        () -> {
          throw new StoreUnavailable("away");
        };

    assertThat(edge.get("/v1/cluster").statusCode()).isEqualTo(503);
  }

  @Test
  void workers_are_listed_page_by_page_with_all_that_is_known() throws Exception {
    JsonNode page = json(edge.get("/v1/workers?pageSize=2").body());

    assertThat(ids(page)).containsExactly("db-7/a", "db-8/b");
    assertThat(page.get("workers").get(0).toString())
        .contains(
            "\"host\":\"db-7\"",
            "\"version\":\"kairos-client 1.2.3\"",
            "\"handlers\":[\"greet\",\"resize\"]",
            "\"running\":3",
            "\"slots\":8",
            "\"seenAt\":\"2030-01-01T00:00:00Z\"",
            "\"since\":\"2029-12-31T23:59:00Z\"",
            "\"lapsed\":\"4\"",
            "\"caller\":\"app\"");
    String token = page.get("nextPageToken").asText();
    JsonNode last = json(edge.get("/v1/workers?pageSize=2&pageToken=" + token).body());
    assertThat(ids(last)).containsExactly("db-1/gone");
    assertThat(last.get("nextPageToken").asText()).isEmpty();
    assertThat(edge.get("/v1/workers?pageToken=bm9uZQ").statusCode()).isEqualTo(400);
    assertThat(edge.get("/v1/workers?pageToken=?").statusCode()).isEqualTo(400);
  }

  @Test
  void a_page_of_workers_is_computed_once_for_all_who_ask_for_it() throws Exception {
    edge.workers.whileListed = () -> edge.time = Edge.NOW.plusSeconds(1);
    for (int i = 0; i < 5; i++) {
      assertThat(ids(json(edge.get("/v1/workers?pageSize=2").body()))).hasSize(2);
    }
    assertThat(edge.workers.listed).hasValue(1);

    assertThat(ids(json(edge.get("/v1/workers?pageSize=3").body()))).hasSize(3);
    assertThat(edge.workers.listed).hasValue(2);
  }

  private static List<String> ids(JsonNode page) {
    List<String> ids = new ArrayList<>();
    page.get("workers").forEach(worker -> ids.add(worker.get("id").asText()));
    return ids;
  }

  private static JsonNode json(String body) throws IOException {
    return new ObjectMapper().readTree(body);
  }

  @Test
  void a_worker_is_drained_and_given_tasks_again() throws Exception {
    assertThat(edge.post("/v1/workers/db-7%2Fa:drain", "{}").body()).contains("\"draining\":true");
    assertThat(edge.workers.drained).containsExactly("db-7/a");

    assertThat(edge.post("/v1/workers/db-7%2Fa:drain", "{\"undo\":true}").body())
        .doesNotContain("\"draining\":true");
    assertThat(edge.workers.drained).isEmpty();
    assertThat(edge.post("/v1/workers/nobody:drain", "{}").statusCode()).isEqualTo(404);
  }
}
