package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.header;
import static io.kairos.server.wiring.Application.keyed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.Task;
import io.kairos.client.TaskQuery;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.push.Push;
import io.kairos.client.push.PushHandler;
import io.kairos.client.push.PushReply;
import io.kairos.client.push.WebhookVerifier;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Delayed messages that become tasks of handlers or pools by a header, on real Postgres and Kafka.
 */
class MessagesForHandlersEndToEndTest {
  private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
  private static final byte[] BINARY = {(byte) 0xc3, 0x28, 0, (byte) 0xff};
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @AutoClose private static final RunningNode node = Configured.started(settings(RUN));

  @AutoClose
  private static final Application application =
      new Application(EmbeddedKafka.shared().bootstrapServers());

  private static final String address = Configured.address(node);

  private static String[] settings(String run) {
    return Configured.route(
        run,
        "allowed-handlers=resize,many,twice,ordered",
        "allowed-pools=shop",
        "task-key-from-record=true");
  }

  private static ProducerRecord<byte[], byte[]> message(String run, String id, String... headers) {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(run + ".in", id.getBytes(UTF_8), BINARY);
    message.headers().add("kairos-id", id.getBytes(UTF_8));
    message.headers().add("kairos-delay", "PT0.3S".getBytes(UTF_8));
    for (int i = 0; i < headers.length; i += 2) {
      message.headers().add(headers[i], headers[i + 1].getBytes(UTF_8));
    }
    return message;
  }

  private static ProducerRecord<byte[], byte[]> delayed(
      String by, ProducerRecord<byte[], byte[]> message) {
    message.headers().remove("kairos-delay").add("kairos-delay", by.getBytes(UTF_8));
    return message;
  }

  /** What a worker was given. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Given(byte[] payload, TaskContext context) {}

  @Test // CH-51, CH-L4, PD-16
  void it_comes_to_the_worker_byte_for_byte_with_its_priority_and_its_trace() throws Exception {
    BlockingQueue<Given> given = new LinkedBlockingQueue<>();
    try (Worker _ =
        Configured.worker(
            address,
            "resize",
            PayloadCodec.bytes(),
            (payload, context) -> given.add(new Given(payload, context)))) {
      application.send(
          message(
              RUN, "r1", "kairos-handler", "resize", "kairos-priority", "7", "traceparent", TRACE));

      Given first = requireNonNull(given.poll(90, TimeUnit.SECONDS), "nothing was performed");

      assertThat(first.payload()).isEqualTo(BINARY);
      assertThat(first.context().priority()).isEqualTo(7);
      assertThat(first.context().traceparent()).contains(TRACE);
      assertThat(application.receive(RUN + ".out", 0, keyed("r1"))).isEmpty();
    }
  }

  @Test
  void it_is_pushed_to_a_pool_byte_for_byte_with_its_own_headers() throws Exception {
    BlockingQueue<Push> pushed = new LinkedBlockingQueue<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    try (KairosClient client = KairosClient.connect(address)) {
      PoolDefinition pool =
          PoolDefinition.of("shop").listed("http://127.0.0.1:" + server.getAddress().getPort());
      String secret = client.pools().create(pool).secrets().get(0);
      server.createContext(
          "/",
          new PushHandler(
              WebhookVerifier.of(secret),
              push -> {
                pushed.add(push);
                return PushReply.done();
              }));
      application.send(message(RUN, "p1", "kairos-pool", "shop", "x-shop", "eu"));

      Push push = requireNonNull(pushed.poll(90, TimeUnit.SECONDS), "nothing was pushed");

      assertThat(push.body()).isEqualTo(BINARY);
      assertThat(push.header("x-shop")).contains("eu");
      assertThat(client.list(TaskQuery.all().handler("pool:shop")).tasks())
          .extracting(task -> task.id().toString())
          .containsExactly(push.executionId());
    } finally {
      server.stop(0);
    }
  }

  @Test
  void of_many_each_makes_one_task_late_ones_and_repeats_of_a_pending_id_too() throws Exception {
    int count = 300;
    CountDownLatch performed = new CountDownLatch(count);
    for (int i = 1; i < count; i++) {
      ProducerRecord<byte[], byte[]> one = message(RUN, "many-" + i, "kairos-handler", "many");
      if (i % 3 == 0) {
        one.headers()
            .remove("kairos-delay")
            .add("kairos-due-at", "2020-01-01T00:00:00Z".getBytes(UTF_8));
      }
      application.sendSoon(one);
    }
    for (int i = 0; i < 2; i++) {
      application.sendSoon(delayed("PT8S", message(RUN, "repeated", "kairos-handler", "many")));
    }
    application.flush();
    try (Worker _ =
        Configured.worker(
            address, "many", PayloadCodec.bytes(), (payload, context) -> performed.countDown())) {
      assertThat(performed.await(90, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(tasks("many")).hasSize(count);
  }

  @Test
  void messages_of_a_key_are_performed_in_order_and_one_that_fails_blocks_only_its_key()
      throws Exception {
    int count = 20;
    List<String> keys = List.of("anna", "bert", "carl");
    for (int i = 0; i < count; i++) {
      for (String key : keys) {
        ProducerRecord<byte[], byte[]> one =
            new ProducerRecord<>(
                RUN + ".in",
                0,
                key.equals("carl") ? new byte[] {(byte) i} : key.getBytes(UTF_8),
                (key + " " + i).getBytes(UTF_8));
        one.headers().add("kairos-id", ("ordered-" + key + i).getBytes(UTF_8));
        one.headers().add("kairos-delay", "PT3S".getBytes(UTF_8));
        one.headers().add("kairos-handler", "ordered".getBytes(UTF_8));
        if (key.equals("carl")) {
          one.headers().add("kairos-key", key.getBytes(UTF_8)); // its record's keys differ
        }
        application.sendSoon(one);
      }
    }
    application.flush();
    List<String> ended = new CopyOnWriteArrayList<>();
    CountDownLatch all = new CountDownLatch(count * keys.size());
    CountDownLatch others = new CountDownLatch(count * (keys.size() - 1));
    try (Worker _ =
        Configured.worker(
            address,
            "ordered",
            PayloadCodec.utf8(),
            (payload, context) -> {
              boolean isBert = payload.startsWith("bert");
              if (payload.equals("bert 3") && others.getCount() > 0) {
                throw new RetryLater("others are not done", Duration.ofMillis(100));
              }
              ended.add(payload);
              all.countDown();
              if (!isBert) {
                others.countDown();
              }
            })) {
      assertThat(all.await(90, TimeUnit.SECONDS)).isTrue();
    }

    for (String key : keys) {
      assertThat(ended.stream().filter(one -> one.startsWith(key)))
          .containsExactlyElementsOf(
              IntStream.range(0, count).mapToObj(i -> key + " " + i).toList());
    }
  }

  private static List<Task> tasks(String handler) {
    try (KairosClient client = KairosClient.connect(address)) {
      return List.copyOf(client.list(TaskQuery.all().handler(handler).pageSize(1_000)).tasks());
    }
  }

  @Test
  void ch08_what_the_headers_get_wrong_is_a_dead_letter_with_its_reason() {
    application.send(message(RUN, "bad-1", "kairos-handler", "a b"));
    application.send(message(RUN, "bad-2", "kairos-handler", "secret"));
    application.send(message(RUN, "bad-3", "kairos-handler", "resize", "kairos-priority", "high"));
    application.send(message(RUN, "bad-4", "kairos-priority", "1"));
    application.send(
        message(RUN, "bad-5", "kairos-handler", "resize", "kairos-output-topic", RUN + ".out"));
    application.send(message(RUN, "bad-6", "kairos-pool", "a b"));
    application.send(message(RUN, "bad-7", "kairos-pool", "secret"));
    application.send(message(RUN, "bad-8", "kairos-handler", "resize", "kairos-key", ""));

    List<ConsumerRecord<byte[], byte[]>> letters =
        application.receive(
            RUN + ".dead", 8, letter -> new String(letter.key(), UTF_8).startsWith("bad-"));

    assertThat(letters)
        .extracting(
            letter -> new String(letter.key(), UTF_8) + " " + header(letter, "kairos-reason"))
        .containsExactlyInAnyOrder(
            "bad-1 malformed-handler",
            "bad-2 handler-not-allowed",
            "bad-3 malformed-handler",
            "bad-4 malformed-handler",
            "bad-5 contradictory-headers",
            "bad-6 malformed-pool",
            "bad-7 pool-not-allowed",
            "bad-8 malformed-key");
    assertThat(letters).allSatisfy(letter -> assertThat(letter.value()).isEqualTo(BINARY));
  }

  @Test
  void what_is_too_large_for_a_task_is_a_dead_letter_that_can_be_sent_again() {
    String run = RUN + "-large";
    List<String> settings = new ArrayList<>(List.of(settings(run)));
    settings.add("http.max-payload-bytes=3");
    RunningNode strict = RunningNode.start(Configured.node(settings.toArray(String[]::new)));
    try {
      application.send(message(run, "l1", "kairos-handler", "resize", "kairos-priority", "7"));

      ConsumerRecord<byte[], byte[]> letter =
          application.receive(run + ".dead", 1, keyed("l1")).getFirst();

      assertThat(header(letter, "kairos-reason")).isEqualTo("publish-refused");
      assertThat(header(letter, "kairos-handler")).isEqualTo("resize");
      assertThat(header(letter, "kairos-priority")).isEqualTo("7");
      assertThat(header(letter, "kairos-output-topic")).isNull();
    } finally {
      strict.close();
    }
  }

  @Test
  void a_message_that_is_fired_again_after_its_node_died_makes_no_second_task() throws Exception {
    String run = RUN + "-crash";
    String database = EmbeddedPostgres.shared().newDatabase();
    CountDownLatch performed = new CountDownLatch(1);
    RunningNode forgetful =
        RunningNode.start(Configured.on(database, settings(run)), step -> withoutSettling(step));
    try {
      assertThat(forgetful.awaitReady(Configured.READY_WITHIN)).isTrue();
      // Not late on arrival: that would be fired without being stored.
      application.send(delayed("PT8S", message(run, "t1", "kairos-handler", "twice")));
      perform(forgetful, performed);
    } finally {
      forgetful.close();
    }
    AtomicReference<RunningNode> watched = new AtomicReference<>();
    CountDownLatch firedAgain = new CountDownLatch(1);
    RunningNode next =
        RunningNode.start(
            Configured.on(database, settings(run)),
            step -> after(step, "settle", () -> tellWhenFired(watched.get(), firedAgain)));
    try (KairosClient client = KairosClient.connect(Configured.address(next))) {
      watched.set(next);
      assertThat(firedAgain.await(90, TimeUnit.SECONDS)).isTrue();

      assertThat(client.list(TaskQuery.all().handler("twice")).tasks()).hasSize(1);
    } finally {
      next.close();
    }
  }

  private static void perform(RunningNode at, CountDownLatch performed) throws Exception {
    try (Worker _ =
        Configured.worker(
            Configured.address(at),
            "twice",
            PayloadCodec.bytes(),
            (payload, context) -> performed.countDown())) {
      assertThat(performed.await(90, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** What it has fired stays in the store. */
  private static Step withoutSettling(Step step) {
    if (!step.name().equals("settle")) {
      return step;
    }
    return Step.of(step.name(), () -> NextRound.after(Duration.ofMillis(50)));
  }

  private static Step after(Step step, String name, Runnable look) {
    if (!step.name().equals(name)) {
      return step;
    }
    return Step.of(
        name,
        () -> {
          NextRound next = step.runOnce();
          look.run();
          return next;
        });
  }

  private static void tellWhenFired(@Nullable RunningNode node, CountDownLatch fired) {
    if (node != null
        && node.metrics()
            .lines()
            .anyMatch(line ->
                line.startsWith("kairos_delay_fired_total")
                    && line.contains("stored")
                    && !line.endsWith(" 0.0"))) {
      fired.countDown();
    }
  }
}
