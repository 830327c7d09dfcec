package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.sun.net.httpserver.HttpServer;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.CallModuleRequest;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronFire;
import io.kairos.api.v1.GetCronEntryRequest;
import io.kairos.api.v1.ListCronFiresRequest;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.api.v1.RemoveCronEntryRequest;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.TaskQuery;
import io.kairos.client.push.PushHandler;
import io.kairos.client.push.PushReply;
import io.kairos.client.push.WebhookVerifier;
import io.kairos.embedded.FileTree;
import io.kairos.embedded.LoopbackPort;
import io.kairos.server.demo.DemoPushReceiver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.assertj.core.api.Condition;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas as users run them, with a real log, real edges and a real node. */
@Timeout(240)
class ReplicatedCronEndToEndTest {
  private static final long COMPONENT = 1;

  @TempDir private Path folder;

  private static void put(Replicas replicas, CronEntry.Builder entry) {
    replicas
        .calls(0)
        .putCronEntry(
            PutCronEntryRequest.newBuilder().setEntry(entry.setComponent(COMPONENT)).build());
  }

  private static CronEntry.Builder every(int position, long millis) {
    return CronEntry.newBuilder().setPosition(position).setEvery(Durations.fromMillis(millis));
  }

  private static void tick(Replicas replicas, long millis) {
    Replicas.await("ready", () -> replicas.replica(0).obstacles().isEmpty());
    replicas
        .calls(0)
        .putCronTable(
            PutCronTableRequest.newBuilder()
                .setComponent(COMPONENT)
                .setTick(Durations.fromMillis(millis))
                .build());
  }

  /** Of a replica that may not have applied the change yet that made the table. */
  private static long fires(Replicas replicas, int id, int position) {
    ListCronFiresRequest request =
        ListCronFiresRequest.newBuilder().setComponent(COMPONENT).setLimit(1_000).build();
    try {
      return replicas.calls(id).listCronFires(request).getFiresList().stream()
          .filter(fire -> fire.getPosition() == position)
          .count();
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        return 0;
      }
      throw e;
    }
  }

  /**
   * Number of the tick at which an entry fired last: the journal, and with it a count, is bounded.
   */
  private static long lastFire(Replicas replicas, int id, int position) {
    return replicas
        .calls(id)
        .getCronEntry(
            GetCronEntryRequest.newBuilder().setComponent(COMPONENT).setPosition(position).build())
        .getLastFire()
        .getSequence();
  }

  private static Condition<String> containing(String part) {
    return new Condition<>(text -> text.contains(part), "containing %s", part);
  }

  @Test
  void cc15_what_entries_ask_for_is_asked_by_all_replicas_and_appears_once() throws IOException {
    String run = UUID.randomUUID().toString().substring(0, 8);
    String handler = "mail-" + run;
    try (RunningNode node =
            Configured.started(
                "delay.routes.only.input=" + run + ".in",
                "delay.routes.only.output=" + run + ".out",
                "delay.routes.only.dead-letter-topic=" + run + ".dead");
        KairosClient client = KairosClient.connect(Configured.address(node));
        DemoPushReceiver receiver = new DemoPushReceiver();
        Replicas replicas =
            new Replicas(
                3,
                folder,
                "replica.cluster=" + run,
                "replica.node=http://" + Configured.address(node))) {
      tick(replicas, 50);
      put(
          replicas,
          every(10, 200)
              .setEnqueueTask(
                  CronEntry.EnqueueTask.newBuilder()
                      .setHandler(handler)
                      .setPayload(ByteString.copyFromUtf8("now"))));
      put(
          replicas,
          every(20, 300)
              .setPostMessage(
                  CronEntry.PostMessage.newBuilder()
                      .setTopic(run + ".out")
                      .setDelay(Durations.fromMinutes(1))));
      put(
          replicas,
          every(30, 400)
              .setPush(
                  CronEntry.Push.newBuilder().setUrl(receiver.url()).setContentType("text/plain")));
      Replicas.await("six fires", () -> fires(replicas, 0, 10) >= 6 && fires(replicas, 0, 30) >= 3);

      tick(replicas, 0); // stands still
      Replicas.await("all done", () -> replicas.look(0).getEffectsWaiting() == 0);

      assertThat(client.list(TaskQuery.all().handler(handler).pageSize(1_000)).tasks())
          .hasSize((int) fires(replicas, 0, 10));
      assertThat(receiver.distinct()).isEqualTo((int) fires(replicas, 0, 30));
      assertThat(receiver.repeated()).isZero();
      List<String> metrics = Stream.of(0, 1, 2).map(id -> replicas.replica(id).metrics()).toList();
      assertThat(metrics)
          .as("more than one has asked for tasks")
          .areAtLeast(2, containing("kairos_cron_effects_total{answer=\"done\",kind=\"task\"}"))
          .areAtLeastOne(containing("kairos_cron_effects_total{answer=\"done\",kind=\"message\"}"))
          .areNot(containing("answer=\"refused\""));
      assertThat(node.metrics())
          .containsPattern(
              "kairos_delay_accepted_total\\{[^}]*\\} %d\\.0".formatted(fires(replicas, 0, 20)));
    }
  }

  @Test
  void an_entry_pushes_to_a_pool_signed_and_once_a_fire_also_when_the_pool_is_made_later()
      throws IOException {
    String run = UUID.randomUUID().toString().substring(0, 8);
    Map<String, List<String>> executions = new ConcurrentHashMap<>();
    HttpServer endpoint =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (RunningNode node =
            Configured.started(
                "delay.routes.only.input=" + run + ".in",
                "delay.routes.only.output=" + run + ".out",
                "delay.routes.only.dead-letter-topic=" + run + ".dead");
        KairosClient client = KairosClient.connect(Configured.address(node));
        Replicas replicas =
            new Replicas(
                3,
                folder,
                "replica.cluster=kairos-" + run, // nodes refuse keys that begin so
                "replica.node=http://" + Configured.address(node))) {
      tick(replicas, 50);
      put(
          replicas,
          every(10, 200)
              .setPushToPool(
                  CronEntry.PushToPool.newBuilder()
                      .setPool(PoolTarget.newBuilder().setName(run).setPath("/close"))
                      .setBody(ByteString.copyFromUtf8("the day"))));
      Replicas.await("six fires", () -> fires(replicas, 0, 10) >= 6);
      tick(replicas, 0); // stands still
      assertThat(replicas.look(0).getEffectsWaiting()).as("without the pool").isPositive();

      String secret =
          client
              .pools()
              .create(
                  PoolDefinition.of(run)
                      .listed("http://127.0.0.1:" + endpoint.getAddress().getPort()))
              .secrets()
              .get(0);
      endpoint.createContext(
          "/close",
          new PushHandler(
              WebhookVerifier.of(secret), // answers 401 to what the pool has not signed
              push -> {
                executions
                    .computeIfAbsent(
                        push.header("idempotency-key").orElse("none") + " " + push.text(),
                        _ -> new CopyOnWriteArrayList<>())
                    .add(push.executionId());
                return PushReply.done();
              }));
      endpoint.start(); // connections have waited for this
      Replicas.await(
          "all done",
          () ->
              replicas.look(0).getEffectsWaiting() == 0
                  && executions.size() >= fires(replicas, 0, 10));

      List<String> ids =
          replicas
              .calls(0)
              .listCronFires(ListCronFiresRequest.newBuilder().setComponent(COMPONENT).build())
              .getFiresList()
              .stream()
              .map(fire -> "cron/kairos-%s/1-10-%d the day".formatted(run, fire.getSequence()))
              .toList();
      assertThat(executions).containsOnlyKeys(ids);
      assertThat(executions.values()).allSatisfy(each -> assertThat(each).hasSize(1));
    } finally {
      endpoint.stop(0);
    }
  }

  @Test
  void cc30_one_that_lost_all_it_had_is_filled_again_and_its_table_moves_on() throws IOException {
    try (Replicas replicas = new Replicas(3, folder, "replica.digest-every=10")) {
      tick(replicas, 20);
      put(replicas, every(10, 40).setPrune(Durations.fromHours(1)));
      replicas.awaitEqual(20);

      replicas.stop(2);
      FileTree.delete(replicas.directory(2));
      long then = replicas.look(0).getSequence();
      replicas.start(2);

      replicas.awaitEqual(then);
      long before = lastFire(replicas, 2, 10);
      Replicas.await("another fire", () -> lastFire(replicas, 2, 10) > before);
    }
  }

  private static byte keptByPaced(Replicas replicas) {
    return replicas
        .calls(0)
        .callModule(CallModuleRequest.newBuilder().setModule("paced").build())
        .getReply()
        .byteAt(0);
  }

  @Test
  void cc2_cc18_a_users_rule_decides_when_an_entry_is_due_and_hears_of_its_removal()
      throws IOException {
    int requests = 7;
    try (Replicas replicas = new Replicas(3, folder, "replica.digest-every=10")) {
      tick(replicas, 20);
      put(
          replicas,
          CronEntry.newBuilder()
              .setPosition(10)
              .setByModule(
                  CronEntry.Run.newBuilder()
                      .setModule("paced")
                      .setArgument(ByteString.copyFrom(new byte[requests])))
              .setPrune(Durations.fromHours(1)));
      Replicas.await("five fires", () -> fires(replicas, 2, 10) >= 5);

      List<Long> fired =
          replicas
              .calls(2)
              .listCronFires(ListCronFiresRequest.newBuilder().setComponent(COMPONENT).build())
              .getFiresList()
              .reversed()
              .stream()
              .map(CronFire::getSequence)
              .toList();
      for (int i = 1; i < fired.size(); i++) {
        assertThat(fired.get(i) - fired.get(i - 1)).isGreaterThanOrEqualTo(requests);
      }
      assertThat(keptByPaced(replicas)).isEqualTo((byte) 1);

      replicas
          .calls(1)
          .removeCronEntry(
              RemoveCronEntryRequest.newBuilder().setComponent(COMPONENT).setPosition(10).build());

      Replicas.await("the module has heard", () -> keptByPaced(replicas) == 0);
      replicas.awaitEqual(replicas.look(0).getSequence());
    }
  }

  @Test
  void one_whose_action_is_not_deterministic_stops_and_says_where_it_began() throws Exception {
    try (Replicas replicas = new Replicas(3, folder, "replica.digest-every=10")) {
      tick(replicas, 50);
      put(replicas, every(10, 40).setPrune(Durations.fromHours(1)));
      put(
          replicas,
          every(30, 40)
              .setRun(
                  CronEntry.Run.newBuilder()
                      .setModule("parting")
                      .setArgument(ByteString.copyFromUtf8("2"))));

      assertThat(replicas.replica(2).awaitEnd()).isEqualTo(ExitCode.BROKEN);

      String why = Files.readString(replicas.directory(2).resolve("diverged.txt"));
      assertThat(why)
          .contains("this replica has another state than")
          .containsPattern(
              "the first difference that is known is from replica [01], at sequence \\d+: position 30 of");
      StatusRuntimeException refused =
          catchThrowableOfType(StatusRuntimeException.class, () -> replicas.look(2));
      assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      replicas.stop(2);
      assertThat(catchThrowableOfType(StartException.class, () -> replicas.start(2)))
          .hasMessageContaining("position 30")
          .hasMessageContaining("remove " + replicas.directory(2).toAbsolutePath());
      long before = lastFire(replicas, 0, 10);
      Replicas.await("the others go on", () -> lastFire(replicas, 0, 10) > before);
    }
  }

  private static RunningReplica start(String... settings) {
    return RunningReplica.start(ReplicaConfigTest.read(settings));
  }

  private static ThrowableAssert<StartException> refused(String... settings) {
    return new ThrowableAssert<>(catchThrowableOfType(StartException.class, () -> start(settings)));
  }

  @Test
  void a_directory_or_a_place_that_is_anothers_is_refused_by_key() throws IOException {
    int log = LoopbackPort.choose();
    String[] settings = {
      "replica.peers=127.0.0.1:" + log, "http.port=0", "replica.data-dir=" + folder.resolve("a")
    };
    try (RunningReplica first = start(settings)) {
      assertThat(first.awaitReady(Configured.READY_WITHIN)).isTrue();
      refused(settings[0], "http.port=0", "replica.data-dir=" + folder.resolve("b"))
          .hasMessageContaining("127.0.0.1:" + log)
          .hasMessageContaining("replica.peers");
    }
    refused(settings[0], settings[1], settings[2], "replica.cluster=another")
        .hasMessageContaining("replica.data-dir")
        .hasMessageContaining("cluster kairos")
        .hasMessageContaining("cluster another");
    Path desk = Files.createDirectory(folder.resolve("desk"));
    Files.writeString(desk.resolve("letter.txt"), "to somebody");
    refused(settings[0], settings[1], "replica.data-dir=" + desk)
        .hasMessageContaining("replica.data-dir")
        .hasMessageContaining("letter.txt");
    assertThat(desk).isDirectoryNotContaining(path -> !path.endsWith("letter.txt"));
  }

  @Test
  void cc20_cc23_with_time_off_a_table_moves_by_sequences() {
    try (Replicas replicas = new Replicas(3, folder, "replica.time=off")) {
      tick(replicas, 20);
      put(
          replicas,
          CronEntry.newBuilder()
              .setPosition(10)
              .setEverySequences(3)
              .setRun(
                  CronEntry.Run.newBuilder()
                      .setModule("parting")
                      .setArgument(ByteString.copyFromUtf8("none"))));
      Replicas.await("three fires", () -> fires(replicas, 1, 10) >= 3);

      assertThat(replicas.look(0).hasAgreedTime()).isFalse();
      assertThat(
              catchThrowableOfType(
                      StatusRuntimeException.class,
                      () -> put(replicas, every(20, 100).setPrune(Durations.fromHours(1))))
                  .getStatus()
                  .getDescription())
          .contains("replica.time is off");
    }
  }

  @Test
  void a_replica_that_began_without_time_is_refused_with_it() {
    String[] settings = {
      "replica.peers=127.0.0.1:" + LoopbackPort.choose(),
      "http.port=0",
      "replica.data-dir=" + folder.resolve("timeless")
    };
    start(settings[0], settings[1], settings[2], "replica.time=off").close();

    refused(settings)
        .hasMessageContaining("replica.time on")
        .hasMessageContaining("begun with replica.time off");
    start(settings[0], settings[1], settings[2], "replica.time=off").close();
  }

  @Test
  void one_of_another_cluster_among_the_peers_is_named() {
    int edge = LoopbackPort.choose();
    try (RunningReplica stranger =
            start(
                "replica.peers=127.0.0.1:" + LoopbackPort.choose(),
                "replica.cluster=strange",
                "http.port=" + edge,
                "replica.data-dir=" + folder.resolve("strange"));
        RunningReplica own =
            start(
                "replica.peers=127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d"
                    .formatted(LoopbackPort.choose(), LoopbackPort.choose(), LoopbackPort.choose()),
                "replica.edges=127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d"
                    .formatted(LoopbackPort.choose(), edge, LoopbackPort.choose()),
                "http.port=0",
                "replica.data-dir=" + folder.resolve("own"))) {
      assertThat(stranger.awaitReady(Configured.READY_WITHIN)).isTrue();
      Replicas.await(
          "the stranger is named",
          () -> own.obstacles().stream().anyMatch(why -> why.contains("cluster strange")));
      assertThat(own.obstacles()).anyMatch(why -> why.startsWith("no leader is known"));
    }
  }
}
