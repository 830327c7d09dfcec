package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.handler.Handler;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.browser.BrowserSession;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A node for tests of its dashboard, and the browsers that show it. Two callers may log in: one may
 * do everything, one may only read. {@link #close} ends all that it has opened.
 */
final class DashboardNode implements AutoCloseable {
  /** The width of a window on a computer. */
  static final int WIDE = 1280;

  /** The width of a telephone. */
  static final int NARROW = 390;

  static final String OPERATOR = "token-of-operator";
  static final String GUEST = "token-of-guest";

  private static final int LARGEST_PICTURE = 150_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String run = UUID.randomUUID().toString().substring(0, 8);
  private final OpenedResources opened = new OpenedResources();
  private final RunningNode node;
  private final KairosClient client;
  private final HttpClient http;

  private DashboardNode(String database, List<String> settings) {
    List<String> all = new ArrayList<>(List.of(Configured.route(run)));
    all.addAll(Configured.caller("operator", OPERATOR, "submit,read,worker,admin"));
    all.addAll(Configured.caller("guest", GUEST, "read"));
    // A machine that runs browsers beside the node may be late with heartbeats.
    all.add("tasks.lease=30s");
    all.addAll(settings);
    this.node = opened.add("the node", Configured.startedOn(database, all.toArray(String[]::new)));
    this.client =
        opened.add(
            "the client", KairosClient.builder(Configured.address(node)).token(OPERATOR).build());
    this.http = opened.add("the HTTP client", HttpClient.newHttpClient());
  }

  /** A node on a database of its own. Skips the test where there is no browser. */
  static DashboardNode start(String... settings) {
    return startOn(EmbeddedPostgres.shared().newDatabase(), settings);
  }

  /** A node on this database. Skips the test where there is no browser. */
  static DashboardNode startOn(String database, String... settings) {
    BrowserSession.requireInstalled();
    return new DashboardNode(database, List.of(settings));
  }

  RunningNode node() {
    return node;
  }

  /** A client that may do everything. */
  KairosClient client() {
    return client;
  }

  /** With what the names of the route's topics begin. */
  String run() {
    return run;
  }

  String origin() {
    return "http://" + Configured.address(node);
  }

  /** The answer to a POST of the operator. */
  JsonNode post(String path, String json) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(origin() + path))
                .header("authorization", "Bearer " + OPERATOR)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  /** Closes this with the node. */
  <T extends AutoCloseable> T with(String name, T resource) {
    return opened.add(name, resource);
  }

  /** A browser in which nobody has logged in. */
  BrowserSession browser() {
    return with("a browser", BrowserSession.start(origin()));
  }

  /** A browser in which the caller of this token has logged in. */
  BrowserSession browser(String token) {
    BrowserSession browser = browser();
    browser.load("/ui/");
    browser.logIn(token);
    browser.settle();
    return browser;
  }

  /** A worker, until it is closed. */
  Worker worker(String handler, Handler<? super String> code) {
    Worker started = Worker.builder(Configured.address(node)).token(OPERATOR).build();
    started.handle(handler, PayloadCodec.utf8(), code);
    started.start();
    return started;
  }

  /** Tasks that have failed for good with this error, whose worker has gone. */
  List<TaskId> failed(String error, TaskRequest.Builder... tasks) {
    List<TaskId> ids = new ArrayList<>();
    for (TaskRequest.Builder each : tasks) {
      TaskRequest task = each.retryPolicy(RetryPolicy.attempts(1)).build();
      try (Worker _ =
          worker(
              task.target(),
              (_, _) -> {
                throw new IllegalStateException(error);
              })) {
        TaskId id = client.schedule(task);
        await(id, TaskState.DEAD);
        ids.add(id);
      }
    }
    return ids;
  }

  void await(TaskId id, TaskState state) {
    Replicas.await(state + " of " + id, () -> client.get(id).state() == state);
  }

  /**
   * Writes a picture for the documentation: what is in the wide window, where the system property
   * {@code kairos.images} names a folder.
   */
  static void picture(BrowserSession browser, String name) {
    String folder = System.getProperty("kairos.images");
    if (folder != null) {
      browser.resize(WIDE);
      assertThat(browser.picture(Path.of(folder, "dashboard-" + name + ".png")))
          .as("bytes of %s", name)
          .isLessThan(LARGEST_PICTURE);
    }
  }

  @Override
  public void close() {
    opened.close();
  }
}
