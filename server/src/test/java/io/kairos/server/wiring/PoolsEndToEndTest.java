package io.kairos.server.wiring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.kairos.client.KairosClient;
import io.kairos.client.push.Push;
import io.kairos.client.push.PushHandler;
import io.kairos.client.push.PushReply;
import io.kairos.client.push.Receiver;
import io.kairos.client.push.StoredExecutions;
import io.kairos.client.push.WebhookVerifier;
import io.kairos.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tasks that are pushed to pools, from the REST call to the receiver of the client. */
class PoolsEndToEndTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static final String database = EmbeddedPostgres.shared().newDatabase();

  @AutoClose
  private static final RunningNode node = Configured.startedOn(database, "push.max-bytes=64KiB");

  private record Said(int status, JsonNode json) {
    String secret() {
      return json.path("keys").path(0).path("secret").asText();
    }

    String text(String field) {
      return json.path(field).asText();
    }
  }

  private static Said call(RunningNode at, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HTTP.send(
            HttpRequest.newBuilder(URI.create("http://" + Configured.address(at) + path))
                .header("content-type", "application/json")
                .method(
                    method,
                    body.isEmpty()
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return new Said(answer.statusCode(), JSON.readTree(answer.body()));
  }

  private static Said post(RunningNode at, String path, String body) throws Exception {
    return call(at, "POST", path, body);
  }

  private static Said get(RunningNode at, String path) throws Exception {
    return call(at, "GET", path, "");
  }

  /** A pool of these receivers; its secret. */
  private static String create(String name, String urls) throws Exception {
    Said pool =
        post(
            node,
            "/v1/pools",
            """
            {"name": "%s", "listed": {"urls": [%s]},
             "ejection": {"failures": 2, "pause": "0.2s"}}
            """
                .formatted(name, urls));
    assertThat(pool.status()).as("%s", pool.json()).isEqualTo(200);
    return pool.secret();
  }

  private static String schedule(String pool, String payload) throws Exception {
    Said task =
        post(
            node,
            "/v1/tasks",
            """
            {"pool": {"name": "%s", "path": "/jobs"}, "payload": "%s",
              "retryPolicy": {"initialBackoff": "0.1s", "maxBackoff": "0.5s"}}
            """
                .formatted(
                    pool,
                    Base64.getEncoder().encodeToString(payload.getBytes(StandardCharsets.UTF_8))));
    assertThat(task.status()).as("%s", task.json()).isEqualTo(200);
    return task.text("id");
  }

  private static JsonNode ended(RunningNode at, String task) throws Exception {
    JsonNode found = get(at, "/v1/tasks/" + task).json();
    long untilNanos = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!found.has("finishedAt") && System.nanoTime() - untilNanos < 0) {
      TimeUnit.MILLISECONDS.sleep(20);
      found = get(at, "/v1/tasks/" + task).json();
    }
    return found;
  }

  /** The HTTP server of a worker; its handler is set when the pool's secret is known. */
  private static final class Host implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    Host() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.start();
    }

    String url() {
      return "\"http://127.0.0.1:" + server.getAddress().getPort() + "\"";
    }

    void receive(String secret, Receiver receiver) {
      server.createContext("/jobs", new PushHandler(WebhookVerifier.of(secret), receiver));
    }

    /** Keeps each push and says that it is done. */
    <T> void collect(String secret, Function<Push, T> what, BlockingQueue<T> got) {
      receive(
          secret,
          push -> {
            got.add(what.apply(push));
            return PushReply.done();
          });
    }

    @Override
    public void close() {
      server.stop(0);
      threads.shutdownNow();
    }
  }

  @Test
  void ph26_a_task_reaches_a_receiver_that_verifies_it() throws Exception {
    BlockingQueue<Push> got = new LinkedBlockingQueue<>();
    try (Host host = new Host()) {
      String secret = create("first", host.url());
      host.receive(
          secret,
          push -> {
            got.add(push);
            return PushReply.done("well");
          });

      String task = schedule("first", "hello");

      Push push = requireNonNull(got.poll(30, TimeUnit.SECONDS), "nothing was pushed");
      assertThat(push.executionId()).isEqualTo(task);
      assertThat(push.text()).isEqualTo("hello");
      JsonNode ended = ended(node, task);
      assertThat(ended.path("state").asText()).isEqualTo("SUCCEEDED");
      assertThat(ended.path("result").asText()).isEqualTo("well");
    }
  }

  @Test
  void ph31_a_worker_that_dies_in_the_middle_of_a_request_has_it_done_by_another_under_its_id()
      throws Exception {
    Set<String> begun = ConcurrentHashMap.newKeySet();
    Map<String, Integer> done = new ConcurrentHashMap<>();
    try (Host dies = new Host();
        Host lives = new Host()) {
      String secret = create("mortal", dies.url() + ", " + lives.url());
      dies.server.createContext(
          "/jobs",
          exchange -> {
            begun.add(exchange.getRequestHeaders().getFirst("kairos-execution-id"));
            exchange.close();
          });
      lives.receive(
          secret,
          push -> {
            done.put(push.executionId(), push.attempt());
            return PushReply.done();
          });
      List<String> tasks = new ArrayList<>();
      while (begun.isEmpty() || tasks.size() < 10) {
        tasks.add(schedule("mortal", "effect"));
        ended(node, tasks.getLast());
      }

      assertThat(done).containsOnlyKeys(tasks);
      assertThat(done)
          .allSatisfy((task, attempt) ->
              assertThat(attempt).isGreaterThanOrEqualTo(begun.contains(task) ? 2 : 1));
    }
  }

  @Test
  void ph26_a_pool_whose_endpoint_hangs_holds_no_other_up() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    BlockingQueue<String> got = new LinkedBlockingQueue<>();
    try (Host hangs = new Host();
        Host well = new Host()) {
      hangs.receive(
          create("hangs", hangs.url()),
          push -> {
            hanging.countDown();
            never.await(60, TimeUnit.SECONDS);
            return PushReply.done();
          });
      well.collect(create("well", well.url()), Push::text, got);
      for (int i = 0; i < 20; i++) {
        schedule("hangs", "x".repeat(20_000));
      }
      assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();

      for (int i = 0; i < 20; i++) {
        schedule("well", "quick " + i);
      }

      for (int i = 0; i < 20; i++) {
        assertThat(got.poll(20, TimeUnit.SECONDS)).startsWith("quick");
      }
      assertThat(never.getCount()).isEqualTo(1);
    } finally {
      call(node, "DELETE", "/v1/pools/hangs", "");
      never.countDown();
    }
  }

  @Test
  void what_cannot_be_is_refused_with_its_reason_and_nothing_is_stored() throws Exception {
    Said hostile =
        post(
            node,
            "/v1/pools",
            "{\"name\": \"evil\", \"listed\": {\"urls\": [\"http://169.254.169.254\"]}}");
    assertThat(hostile.status()).isEqualTo(400);
    assertThat(hostile.json().toString())
        .contains("pool.listed.urls[0]")
        .contains("never pushed to");
    assertThat(get(node, "/v1/pools/evil").status()).isEqualTo(404);

    create("billing", "\"http://127.0.0.1:9999\"");
    Said unknown = post(node, "/v1/tasks", "{\"pool\": {\"name\": \"biling\"}}");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.json().toString()).contains("did you mean billing?");
    assertThat(post(node, "/v1/tasks", "{\"handler\": \"pool:billing\"}").status()).isEqualTo(400);
    assertThat(call(node, "DELETE", "/v1/pools/billing", "").status()).isEqualTo(200);
    assertThat(call(node, "DELETE", "/v1/pools/billing", "").status()).isEqualTo(404);
  }

  @Test
  void secrets_are_shown_once_and_rotated() throws Exception {
    create("keys", "\"http://127.0.0.1:9999\"");

    assertThat(get(node, "/v1/pools/keys").json().toString()).doesNotContain("whsec_");
    JsonNode rotated = post(node, "/v1/pools/keys:rotateKey", "{}").json();

    assertThat(rotated.path("keys")).hasSize(2);
    assertThat(rotated.path("keys").path(0).path("secret").asText()).startsWith("whsec_");
    assertThat(rotated.path("keys").path(1).has("retiresAt")).isTrue();
    call(node, "DELETE", "/v1/pools/keys", "");
  }

  @Test // PH-F1
  void ph26_a_worker_registers_itself_and_what_waited_is_pushed() throws Exception {
    BlockingQueue<String> got = new LinkedBlockingQueue<>();
    Said pool = post(node, "/v1/pools", "{\"name\": \"selfish\", \"registered\": {}}");
    String task = schedule("selfish", "waits");
    JsonNode waiting = get(node, "/v1/tasks/" + task).json();
    assertThat(waiting.path("pool").path("name").asText()).isEqualTo("selfish");
    assertThat(waiting.path("pool").path("path").asText()).isEqualTo("/jobs");
    assertThat(waiting.path("payload").binaryValue())
        .isEqualTo("waits".getBytes(StandardCharsets.UTF_8));
    try (Host host = new Host()) {
      host.collect(pool.secret(), Push::text, got);
      Said registered =
          post(
              node,
              "/v1/pools/selfish/endpoints",
              "{\"url\": " + host.url() + ", \"lease\": \"60s\"}");

      assertThat(registered.status()).isEqualTo(200);
      assertThat(got.poll(30, TimeUnit.SECONDS)).isEqualTo("waits");
      assertThat(ended(node, task).path("state").asText()).isEqualTo("SUCCEEDED");
    }
  }

  @Test
  @SuppressWarnings("try") // the first node ends before the second begins
  void what_goes_on_after_202_is_ended_by_its_token_at_another_node_after_the_first_has_gone()
      throws Exception {
    BlockingQueue<Push> got = new LinkedBlockingQueue<>();
    String other = EmbeddedPostgres.shared().newDatabase();
    try (Host host = new Host();
        RunningNode first = Configured.startedOn(other)) {
      Said pool =
          post(
              first,
              "/v1/pools",
              "{\"name\": \"slow\", \"listed\": {\"urls\": [" + host.url() + "]}}");
      host.receive(
          pool.secret(),
          push -> {
            got.add(push);
            return PushReply.later();
          });
      String task =
          post(first, "/v1/tasks", "{\"pool\": {\"name\": \"slow\", \"path\": \"/jobs\"}}")
              .text("id");
      Push push = requireNonNull(got.poll(30, TimeUnit.SECONDS), "nothing was pushed");
      String token = push.completionToken().orElseThrow();
      assertThat(post(first, "/v1/executions/" + token + ":heartbeat", "{}").status())
          .isEqualTo(200);
      first.close();
      try (RunningNode second = Configured.startedOn(other)) {
        assertThat(get(second, "/v1/tasks/" + task).text("state")).isEqualTo("PROCESSING");

        assertThat(
                post(second, "/v1/executions/" + token + ":complete", "{\"result\": \"at last\"}")
                    .status())
            .isEqualTo(200);

        assertThat(ended(second, task).path("state").asText()).isEqualTo("SUCCEEDED");
        assertThat(ended(second, task).path("result").asText()).isEqualTo("at last");
        assertThat(post(second, "/v1/executions/" + token + ":complete", "{}").status())
            .isEqualTo(400);
      }
    }
  }

  @Test
  void what_goes_on_after_202_and_fails_for_good_is_not_tried_again() throws Exception {
    BlockingQueue<Push> got = new LinkedBlockingQueue<>();
    try (Host host = new Host();
        KairosClient client = KairosClient.connect(Configured.address(node))) {
      host.receive(
          create("vain", host.url()),
          push -> {
            got.add(push);
            return PushReply.later();
          });
      String task = schedule("vain", "order 7");
      Push push = requireNonNull(got.poll(30, TimeUnit.SECONDS), "nothing was pushed");

      client.pools().failForGood(push.completionToken().orElseThrow(), "no such order");

      JsonNode ended = ended(node, task);
      assertThat(ended.path("state").asText()).isEqualTo("FAILED");
      assertThat(ended.path("attempt").asInt()).isEqualTo(1);
      assertThat(ended.toString()).contains("no such order");
    }
  }

  @Test
  void ph32_what_a_node_had_under_way_when_it_went_is_pushed_by_another_under_the_same_id()
      throws Exception {
    BlockingQueue<Push> got = new LinkedBlockingQueue<>();
    CountDownLatch hung = new CountDownLatch(1);
    String other = EmbeddedPostgres.shared().newDatabase();
    RunningNode goes = Configured.startedOn(other);
    RunningNode stays = goes;
    try (Host host = new Host()) {
      Said pool =
          post(
              goes, "/v1/pools", "{\"name\": \"p\", \"listed\": {\"urls\": [" + host.url() + "]}}");
      host.receive(
          pool.secret(),
          push -> {
            got.add(push);
            if (push.attempt() == 1) {
              hung.await(60, TimeUnit.SECONDS);
              throw new IOException("too late");
            }
            return PushReply.done();
          });
      String task =
          post(goes, "/v1/tasks", "{\"pool\": {\"name\": \"p\", \"path\": \"/jobs\"}}").text("id");
      Push first = requireNonNull(got.poll(30, TimeUnit.SECONDS), "nothing was pushed");
      stays = Configured.startedOn(other);

      goes.close();
      hung.countDown();

      Push second = requireNonNull(got.poll(30, TimeUnit.SECONDS), "it was not pushed again");
      assertThat(first.executionId()).isEqualTo(task);
      assertThat(second.executionId()).isEqualTo(task);
      assertThat(second.fence()).isGreaterThan(first.fence());
      assertThat(ended(stays, task).path("state").asText()).isEqualTo("SUCCEEDED");
    } finally {
      hung.countDown();
      goes.close();
      stays.close();
    }
  }

  @Test // PH-3
  void ph33_a_worker_that_dies_under_load_loses_nothing_and_no_effect_is_had_twice()
      throws Exception {
    int count = 200;
    try (Connection connection = connect()) {
      StoredExecutions.createTable(connection);
      try (Statement statement = connection.createStatement()) {
        statement.execute("create table effect (task text not null)");
      }
    }
    Host dies = new Host();
    try (Host lives = new Host()) {
      String secret = create("load", dies.url() + ", " + lives.url());
      dies.receive(secret, PoolsEndToEndTest::effect);
      lives.receive(secret, PoolsEndToEndTest::effect);
      List<String> tasks = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        tasks.add(schedule("load", "effect " + i));
        if (i == count / 2) {
          dies.close();
        }
      }

      for (String task : tasks) {
        assertThat(ended(node, task).path("state").asText()).isEqualTo("SUCCEEDED");
      }
      assertThat(number("select count(*) from effect")).isEqualTo(count);
      assertThat(number("select count(distinct task) from effect")).isEqualTo(count);
    } finally {
      dies.close();
    }
  }

  private static PushReply effect(Push push) throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      if (StoredExecutions.first(connection, push.executionId())) {
        try (PreparedStatement insert =
            connection.prepareStatement("insert into effect (task) values (?)")) {
          insert.setString(1, push.executionId());
          insert.executeUpdate();
        }
        connection.commit();
      }
    }
    return PushReply.done();
  }

  private static Connection connect() throws SQLException {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    return DriverManager.getConnection(database, postgres.user(), postgres.password());
  }

  private static long number(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
