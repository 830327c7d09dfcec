package io.kairos.server.wiring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.kairos.api.v1.Alarm;
import io.kairos.api.v1.Cluster;
import io.kairos.api.v1.CountWaitingResponse;
import io.kairos.api.v1.Figures;
import io.kairos.api.v1.ListFiguresResponse;
import io.kairos.api.v1.ListWorkersResponse;
import io.kairos.api.v1.Node;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Two nodes on one database, of which one is asked what both do. */
class ClusterEndToEndTest {
  private static final String database = EmbeddedPostgres.shared().newDatabase();

  @AutoClose
  private static final RunningNode node =
      Configured.ready(RunningNode.start(Configured.withoutBroker(database)));

  @AutoClose
  private static final RunningNode other =
      Configured.ready(RunningNode.start(Configured.withoutBroker(database)));

  @AutoClose
  private static final KairosClient client = KairosClient.connect(Configured.address(node));

  @AutoClose private static final HttpClient http = HttpClient.newHttpClient();

  /** Asks the other node until the answer is as wanted, or too late. */
  private static <M extends Message> M asked(
      String path, Message.Builder empty, Class<M> type, Predicate<M> isWanted) throws Exception {
    long untilNanos = System.nanoTime() + Configured.READY_WITHIN.toNanos();
    while (true) {
      M answer = type.cast(read(path, empty));
      if (isWanted.test(answer) || System.nanoTime() - untilNanos >= 0) {
        return answer;
      }
    }
  }

  private static Message read(String path, Message.Builder empty) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + Configured.address(other) + path)).build();
    String body = http.send(request, BodyHandlers.ofString()).body();
    Message.Builder read = empty.clone().clear();
    try {
      JsonFormat.parser().merge(body, read);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(body, e);
    }
    return read.build();
  }

  private static long begun(ListFiguresResponse answer) {
    return answer.getFiguresList().stream().mapToLong(one -> one.getTasks().getBegun()).sum();
  }

  @Test
  void what_one_node_does_is_told_by_the_other() throws Exception {
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    try (Worker _ =
        Configured.worker(
            Configured.address(node),
            "counted",
            PayloadCodec.utf8(),
            (text, _) -> performed.add(text))) {
      client.schedule(TaskRequest.to("counted").payload("one").build());
      requireNonNull(performed.poll(30, TimeUnit.SECONDS));
    }

    ListFiguresResponse answer =
        asked(
            "/v1/cluster/figures",
            ListFiguresResponse.newBuilder(),
            ListFiguresResponse.class,
            figures -> begun(figures) >= 1 && figures.getNodes() == 2);

    assertThat(answer.getNodes()).isEqualTo(2);
    assertThat(answer.getOwnOnly()).isFalse();
    Figures counted =
        answer.getFiguresList().stream()
            .filter(one -> one.getTasks().getBegun() > 0)
            .findFirst()
            .orElseThrow();
    assertThat(counted.getTasks().hasLateness()).isTrue();
    assertThat(counted.getAt().getSeconds() % 5).isZero();
    assertThat(counted.hasHiccup()).isTrue();
  }

  @Test
  void both_nodes_and_what_is_wrong_are_told_by_either() throws Exception {
    client.schedule(
        TaskRequest.to("nobodys").runAt(Instant.now().minus(Duration.ofMinutes(2))).build());

    Cluster answer =
        asked(
            "/v1/cluster",
            Cluster.newBuilder(),
            Cluster.class,
            cluster ->
                cluster.getAlarmsCount() > 0
                    && cluster.getNodesList().stream().allMatch(Node::hasLoad));

    assertThat(answer.getAlarmsList())
        .extracting(Alarm::getText)
        .contains("handler nobodys: nobody asks for it, 1 due");
    assertThat(answer.getNodesList()).hasSize(2).allMatch(Node::hasStartedAt);
    assertThat(answer.getNodes(0).getId()).isEqualTo(other.id().orElseThrow().toString());
    assertThat(answer.getNodesList()).extracting(Node::getAnswering).containsExactly(true, false);
    assertThat(answer.getNodes(1).getDoorsList()).containsExactly("tasks", "schedules", "pools");
    assertThat(answer.getNodes(1).getVersion()).isEqualTo(BuildVersion.text());
    assertThat(answer.getNodes(1).getHeapBytes()).isPositive();
    assertThat(answer.getNodes(1).hasClockOffset()).isTrue();
  }

  @Test
  void what_waits_is_counted() throws Exception {
    client.schedule(TaskRequest.to("waited-for").delay(Duration.ofHours(30)).build());

    CountWaitingResponse answer =
        asked(
            "/v1/cluster/waiting?span=MONTH",
            CountWaitingResponse.newBuilder(),
            CountWaitingResponse.class,
            counts -> counts.getBarsList().stream().skip(1).anyMatch(bar -> bar.getTasks() == 1));

    assertThat(answer.getBarsList()).hasSize(30).noneMatch(CountWaitingResponse.Bar::getEstimated);
    assertThat(answer.getTasks().getCount()).isPositive();
  }

  @Test
  void a_node_that_has_stopped_is_not_missed() throws Exception {
    RunningNode third = Configured.ready(RunningNode.start(Configured.withoutBroker(database)));
    asked(
        "/v1/cluster",
        Cluster.newBuilder(),
        Cluster.class,
        cluster -> cluster.getNodesCount() == 3);
    third.close();

    Cluster answer =
        asked(
            "/v1/cluster",
            Cluster.newBuilder(),
            Cluster.class,
            cluster -> cluster.getNodesCount() == 2);

    assertThat(answer.getNodesList()).hasSize(2).noneMatch(Node::getDead);
  }

  @Test
  void a_drained_worker_is_given_no_tasks_and_others_are() throws Exception {
    BlockingQueue<String> byFirst = new LinkedBlockingQueue<>();
    BlockingQueue<String> bySecond = new LinkedBlockingQueue<>();
    try (Worker first = worker(byFirst)) {
      client.schedule(TaskRequest.to("shared").payload("before").build());
      requireNonNull(byFirst.poll(30, TimeUnit.SECONDS));
      io.kairos.api.v1.Worker known = known(first.name(), worker -> true);
      assertThat(known.getHandlersList()).containsExactly("shared");
      assertThat(known.getHost()).isNotEmpty();
      assertThat(known.getVersion()).startsWith("kairos-client");
      assertThat(known.getSlots()).isPositive();

      assertThat(client.drainWorker(first.name()).isDraining()).isTrue();
      try (Worker _ = worker(bySecond)) {
        for (int i = 0; i < 20; i++) {
          client.schedule(TaskRequest.to("shared").payload("during " + i).build());
        }
        for (int i = 0; i < 20; i++) {
          requireNonNull(bySecond.poll(30, TimeUnit.SECONDS));
        }
      }
      assertThat(byFirst).isEmpty();
      assertThat(known(first.name(), io.kairos.api.v1.Worker::getDraining).getDraining()).isTrue();

      assertThat(client.endDrainOfWorker(first.name()).isDraining()).isFalse();
      client.schedule(TaskRequest.to("shared").payload("after").build());
      assertThat(byFirst.poll(30, TimeUnit.SECONDS)).isEqualTo("after");
    }
  }

  private static Worker worker(BlockingQueue<String> performed) {
    return Configured.worker(
        Configured.address(node), "shared", PayloadCodec.utf8(), (text, _) -> performed.add(text));
  }

  /** The worker as the other node lists it. */
  private static io.kairos.api.v1.Worker known(
      String name, Predicate<io.kairos.api.v1.Worker> isWanted) throws Exception {
    return asked(
            "/v1/workers",
            ListWorkersResponse.newBuilder(),
            ListWorkersResponse.class,
            answer ->
                answer.getWorkersList().stream()
                    .anyMatch(worker -> worker.getId().equals(name) && isWanted.test(worker)))
        .getWorkersList()
        .stream()
        .filter(worker -> worker.getId().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
