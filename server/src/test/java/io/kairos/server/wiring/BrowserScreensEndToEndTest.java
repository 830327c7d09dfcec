package io.kairos.server.wiring;

import static io.kairos.server.wiring.DashboardNode.NARROW;
import static io.kairos.server.wiring.DashboardNode.WIDE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.client.Graph;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskRequest;
import io.kairos.client.queue.HandlerPause;
import io.kairos.client.queue.KeyLimit;
import io.kairos.client.queue.QueueLimit;
import io.kairos.client.route.DeadLetterQuery;
import io.kairos.client.task.OnFailure;
import io.kairos.client.task.TaskId;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.server.browser.BrowserSession;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/**
 * The screens of the dashboard, of a node with work of every kind and of a replica: each can be
 * used by everybody at both widths, in light and dark, and by keys.
 */
@Timeout(240)
@SuppressWarnings("NullAway.Init") // before all tests
class BrowserScreensEndToEndTest {
  private static final Pattern SCREEN =
      Pattern.compile("\\{ name: '(\\w+)', path: '([^']*)', .* on: '(\\w+)'");

  /** Screens whose pictures are in the documentation. */
  private static final List<String> PICTURES = List.of("overview", "task");

  /** A name as long as one may be, without a place to break it. */
  private static final String LONG = "W".repeat(128);

  private static final String HOSTILE = "<img src=x onerror=alert(1)>\u202E" + "W".repeat(500);

  /** A pool that has never had a task has no handler. */
  private static final String NO_HANDLER = "/v1/handlers/pool%3A.*status of 404";

  /** The paths that the page has asked for dead letters. */
  private static final String ASKED =
      """
      return performance.getEntriesByType('resource').map((each) => each.name)
        .filter((name) => name.includes('deadLetters')).join(' ');
      """;

  @TempDir private static Path folder;

  @AutoClose private static DashboardNode node;
  private static BrowserSession operator;
  private static Replicas replicas;
  private static TaskId dead;
  private static TaskId longNamed;
  private static TaskId awaiting;
  private static String batch;

  @BeforeAll
  static void start() throws Exception {
    node = DashboardNode.start("http.ui-trace-url=https://traces.example.com/trace/{trace_id}");
    work();
    replicas = node.with("the replica", replica());
    operator = node.browser(DashboardNode.OPERATOR);
  }

  /** What the screens show. */
  private static void work() throws Exception {
    node.with("the endpoint", PoolEndpoint.of(node.client(), "billing", _ -> {}));
    for (String handler : List.of("mail", "invoice", "thumbnail", "export")) {
      node.with("a worker", node.worker(handler, (_, _) -> {}));
    }
    for (int i = 0; i < 60; i++) {
      node.client().schedule(TaskRequest.to("mail").payload("to customer " + i).build());
      node.client()
          .schedule(
              TaskRequest.to(i % 3 == 0 ? "invoice" : "mail")
                  .payload("{\"customer\": " + i + "}")
                  .delay(Duration.ofMinutes(i))
                  .build());
    }
    node.client()
        .schedule(
            TaskRequest.to("resize").runAt(Instant.now().minus(Duration.ofMinutes(2))).build());
    node.client().handlers().limit(new QueueLimit("mail", 50, 100, null, null, 0));
    node.client()
        .handlers()
        .setPause(HandlerPause.pause("export").because("the archive is being moved"));
    every("every-second", Duration.ofSeconds(1), "mail");
    every("reports/hourly", Duration.ofHours(1), "export");
    node.client()
        .schedules()
        .create(
            ScheduleSpec.named("reports/daily")
                .cron("0 9 * * MON-FRI")
                .zone("Europe/Berlin")
                .handler("mail")
                .build());
    Application application =
        node.with("the application", new Application(EmbeddedKafka.shared().bootstrapServers()));
    String input = node.run() + ".in";
    application.send(
        Application.message(input, null, "later", "kairos-id", "m-1", "kairos-delay", "PT1H"));
    application.send(Application.message(input, null, "no id", "kairos-delay", "PT1H"));
    // Who may write to the topic of dead letters chooses all that is shown of one.
    application.send(
        Application.message(
            node.run() + ".dead",
            HOSTILE,
            HOSTILE,
            "kairos-reason",
            HOSTILE,
            "kairos-reason-detail",
            HOSTILE,
            "kairos-source-topic",
            input,
            HOSTILE,
            HOSTILE));
    longNames();
    Graph graph = new Graph();
    Graph.Step first = graph.add(TaskRequest.to(LONG).delay(Duration.ofDays(1)).build());
    graph.add(TaskRequest.to("mail").build()).after(first, OnFailure.CONTINUE);
    batch =
        node.post("/v1/batches", "{\"handler\": \"%s\", \"name\": \"%s\"}".formatted(LONG, LONG))
            .at("/batch/id")
            .asText();
    awaiting = node.client().schedule(graph.tasks()).getLast();
    dead =
        node.failed(
                "the bank has refused card 1234",
                TaskRequest.to("charge").payload("{\"order\": 4711}"),
                TaskRequest.to("charge").payload("{\"order\": 4712}"))
            .getFirst();
    var _ = node.failed("template welcome: no such field", TaskRequest.to("letter"));
  }

  private static void longNames() {
    longNamed =
        node.failed(HOSTILE, TaskRequest.to(LONG).key("W".repeat(256)).collection(LONG)).getFirst();
    node.client().handlers().setPause(HandlerPause.pause(LONG).of(LONG).because("W".repeat(500)));
    every(LONG, Duration.ofHours(1), LONG);
    node.client().limits().set(KeyLimit.of(LONG, 0, 0.5, 1_000_000_000));
    node.client().limits().set(KeyLimit.of(LONG.substring(1) + "*", 0, null, null));
    node.client().schedule(TaskRequest.to(LONG).limit(LONG).limit(LONG.substring(1)).build());
  }

  private static void every(String name, Duration rate, String handler) {
    node.client().schedules().create(ScheduleSpec.named(name).every(rate).handler(handler).build());
  }

  private static Replicas replica() {
    Replicas one =
        new Replicas(
            1,
            folder,
            "replica.cluster=" + node.run(),
            "replica.node=" + node.origin(),
            "replica.node-token=" + DashboardNode.OPERATOR);
    Replicas.await("ready", () -> one.replica(0).obstacles().isEmpty());
    one.calls(0)
        .putCronTable(
            PutCronTableRequest.newBuilder()
                .setComponent(1)
                .setTick(Durations.fromMillis(500))
                .build());
    one.calls(0)
        .putCronEntry(
            PutCronEntryRequest.newBuilder()
                .setEntry(
                    CronEntry.newBuilder()
                        .setComponent(1)
                        .setPosition(1)
                        .setTitle("heartbeat")
                        .setEvery(Durations.fromSeconds(1))
                        .setEnqueueTask(CronEntry.EnqueueTask.newBuilder().setHandler("mail")))
                .build());
    return one;
  }

  @AfterEach
  void no_page_has_done_what_it_must_not() {
    assertThat(operator.faults(NO_HANDLER)).isEmpty();
  }

  /** Light in the wide window, dark in the narrow one. */
  @Test
  void every_screen_is_usable_by_everybody_at_both_widths() throws IOException {
    Map<String, String> pages = new TreeMap<>();
    Map<String, List<String>> found = new TreeMap<>();
    for (MatchResult screen : screens()) {
      String path = requireNonNull(screen.group(2));
      if ("node".equals(screen.group(3))) {
        pages.put(
            requireNonNull(screen.group(1)),
            "/ui/"
                + path.replace("tasks/:id", "tasks/" + dead)
                    .replace("batches/:id", "batches/" + batch)
                    .replace("handlers/:name", "handlers/mail")
                    .replace("schedules/:name", "schedules/every-second"));
      } else {
        try (BrowserSession other = BrowserSession.start(replicaOrigin())) {
          add(found, requireNonNull(screen.group(1)), look(other, "/ui/" + path));
        }
      }
    }
    pages.put("schedules as a calendar", "/ui/schedules?view=calendar");
    pages.put("schedule as a list", "/ui/schedules/every-second?view=list&at=now");
    pages.put("new schedule", "/ui/schedules?new=1");
    pages.put("failed tasks", "/ui/tasks?state=DEAD&state=FAILED");
    pages.put("pool", "/ui/pools?pool=billing");
    pages.put("handler that is paused", "/ui/handlers/export");
    pages.put("dead letters", "/ui/delay?route=only");
    pages.put("long names of a task", "/ui/tasks/" + longNamed);
    pages.put("task with a graph", "/ui/tasks/" + awaiting);
    pages.put("names of a limit", "/ui/limits?name=" + LONG.substring(1) + "*");
    pages.put("long names in a list", "/ui/tasks?handler=" + LONG);
    pages.put("long name of a handler", "/ui/handlers/" + LONG);
    pages.put("long name of a schedule", "/ui/schedules/" + LONG);
    pages.put("no such page", "/ui/nowhere");
    assertThat(pages).hasSizeGreaterThan(15);
    assertThat(pages.values()).noneMatch(path -> path.contains(":"));
    for (Map.Entry<String, String> page : pages.entrySet()) {
      add(found, page.getKey(), look(operator, page.getValue()));
      if (PICTURES.contains(page.getKey())) {
        DashboardNode.picture(operator, page.getKey());
      }
    }
    assertThat(found).isEmpty();
  }

  private static void add(Map<String, List<String>> found, String name, List<String> faults) {
    if (!faults.isEmpty()) {
      found.put(name, faults);
    }
  }

  /** What is wrong with a page. */
  private static List<String> look(BrowserSession browser, String path) {
    browser.resize(WIDE);
    browser.show(path);
    List<String> wrong = new ArrayList<>(browser.barriers());
    browser.resize(NARROW);
    browser.colours("dark");
    wrong.addAll(browser.barriers());
    browser.colours("light");
    wrong.addAll(browser.faults(NO_HANDLER));
    return wrong;
  }

  private static List<MatchResult> screens() throws IOException {
    try (InputStream in =
        requireNonNull(
            BrowserScreensEndToEndTest.class.getResourceAsStream("/io/kairos/ui/screens.js"))) {
      return SCREEN.matcher(new String(in.readAllBytes(), UTF_8)).results().toList();
    }
  }

  private static String replicaOrigin() {
    return "http://127.0.0.1:" + replicas.replica(0).port();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void the_overview_says_what_is_wrong_which_nodes_there_are_and_what_waits(int width) {
    operator.resize(width);
    operator.show("/ui/");
    operator.read("main .alarms", "handler resize: nobody asks for it, 1 due");
    operator.read("main .tiles", "Tasks that wait", "Overdue tasks", "Accepted", "Lateness, p99");
    operator.read("main", "Nodes", "answers you");
    operator.see(By.cssSelector("k-chart canvas"));

    operator.press("Next day");
    operator.press("Messages");

    operator.read("main", "Messages per second");
    assertThat(operator.place()).isEqualTo("/ui/?span=DAY&work=messages");
    operator.click(By.linkText("handler resize: nobody asks for it, 1 due"));
    operator.read("main h1", "resize");
    assertThat(operator.barriers()).isEmpty();
  }

  @Test
  void the_alarm_about_tasks_that_failed_leads_to_them() {
    operator.resize(NARROW);
    var _ = node.failed("the alarm is tried", TaskRequest.to("alarmed"));
    Replicas.await(
        "the alarm",
        () ->
            node.client().cluster().alarms().stream()
                .anyMatch(alarm -> alarm.subject().equals("FAILED_TASKS")));
    operator.show("/ui/");
    operator.click(By.partialLinkText("dead or failed for good in the last 5 minutes"));

    operator.read("main h1", "Failures");
    operator.read("main table", "alarmed", "the alarm is tried");
    assertThat(operator.place()).isEqualTo("/ui/failures?window=5m");
    operator.see(By.xpath("//button[@aria-pressed='true'][normalize-space()='Last 5 minutes']"));
    assertThat(operator.barriers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_task_leads_to_its_trace_where_the_configuration_says_so(int width) {
    String trace = "0af7651916cd43dd8448eb211c80319c";
    TaskId id =
        node.client()
            .schedule(
                TaskRequest.to("traced")
                    .delay(Duration.ofDays(1))
                    .traceparent("00-" + trace + "-b7ad6b7169203331-01")
                    .build());
    operator.resize(width);
    operator.show("/ui/tasks/" + id);

    By link = By.linkText(trace);
    assertThat(operator.see(link).getAttribute("href"))
        .isEqualTo("https://traces.example.com/trace/" + trace);
    assertThat(operator.see(link).getAttribute("rel")).isEqualTo("noopener noreferrer");
    assertThat(operator.barriers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_delayed_message_is_sent_and_followed_to_its_arrival(int width) throws Exception {
    String topic = node.run() + ".out";
    String text = "hello at " + width;
    operator.resize(width);
    operator.show("/ui/delay");
    operator.fill("topic", topic);
    operator.fill("key", "k");
    operator.fill("delay", "0.5");
    operator.fill("value", text);
    operator.press("Send");

    operator.read(".said", "The message is accepted.");
    try (Application other = new Application(EmbeddedKafka.shared().bootstrapServers())) {
      assertThat(other.receive(topic, 1, message -> Application.value(message).equals(text)))
          .hasSize(1)
          .allMatch(Application.keyed("k"));
    }
    operator.read("main .note", "It no longer waits");
    assertThat(operator.barriers()).isEmpty();
  }

  /** The node is asked for the value of a letter when somebody opens it, and not before. */
  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_dead_letter_is_opened_corrected_published_again_and_arrives(int width) {
    String key = "letter-" + width;
    String corrected = "corrected " + key;
    try (Application other = new Application(EmbeddedKafka.shared().bootstrapServers())) {
      other.send(
          Application.message(node.run() + ".in", key, "value of " + key, "kairos-delay", "PT1S"));
      Replicas.await("the letter", () -> hasLetter(key));
      operator.resize(width);
      operator.show("/ui/delay");
      operator.read("main", node.run() + ".in", "message");
      operator.click(By.linkText("Dead letters"));
      By opened = inLetter(key, "//summary[starts-with(normalize-space(), 'Value')]");
      operator.see(opened);
      assertThat((String) operator.script(ASKED)).contains("deadLetters").doesNotContain("Value");

      operator.click(opened);
      operator.see(inLetter(key, "//bdi[normalize-space()='value of " + key + "']"));
      assertThat((String) operator.script(ASKED)).containsOnlyOnce("maxValueBytes=");
      assertThat(operator.barriers()).isEmpty();
      publish(key, "kairos-id: " + key, corrected);
      operator.confirm("Publish 1 message");

      operator.read(".said", "Published: partition");
      assertThat(other.receive(node.run() + ".out", 1, Application.keyed(key)))
          .singleElement()
          .satisfies(message -> assertThat(Application.value(message)).isEqualTo(corrected));
      publish(key, "kairos-id: " + key, corrected);
      operator.goOn("Publish 1 message");
      operator.read("dialog[open] .problem", "published again before");
      assertThat(operator.barriers()).isEmpty();
      assertThat(operator.faults("status of 409")).isEmpty();
    }
  }

  private static boolean hasLetter(String key) {
    return node.client().deadLetters(DeadLetterQuery.of("only")).stream()
        .anyMatch(letter -> Arrays.equals(letter.key(), key.getBytes(UTF_8)));
  }

  private static By inLetter(String key, String what) {
    return By.xpath(
        "//k-letters//tr[td[@data-label='Key'][normalize-space()='" + key + "']]" + what);
  }

  /** Fills the form that publishes a letter again. */
  private static void publish(String key, String header, String value) {
    operator.click(inLetter(key, "//button[starts-with(normalize-space(), 'Publish again')]"));
    operator.click(By.cssSelector("dialog[open] input[name=other]"));
    operator.click(By.cssSelector("dialog[open] textarea[name=value]"));
    operator.type(value);
    operator.fill("changed", header);
  }

  @Test
  void a_worker_is_drained() {
    operator.resize(WIDE);
    operator.show("/ui/workers");
    By row = By.xpath("//main//tr[.//a[normalize-space()='thumbnail']]");
    operator.see(row);
    operator.click(By.xpath("//main//tr[.//a[normalize-space()='thumbnail']]//button"));
    operator.confirm("Drain 1 worker");
    operator.see(By.xpath("//main//tr[.//a[normalize-space()='thumbnail']]//*[text()='draining']"));
    operator.click(By.xpath("//main//tr[.//a[normalize-space()='thumbnail']]//button"));
    operator.confirm("Undo the drain");
    operator.gone(By.xpath("//main//tr//*[text()='draining']"));
    assertThat(operator.barriers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void the_key_of_a_pool_is_rotated_and_its_secret_shown_once(int width) {
    operator.resize(width);
    operator.show("/ui/pools");
    operator.click(By.linkText("billing"));
    operator.read("main section", "billing", "per node", "serves");

    operator.press("Rotate key…");
    operator.confirm("Rotate 1 key");

    operator.read("main .note", "It is not shown again", "whsec_");
    operator.read("main section", "Keys", "signs now", "retires");
    assertThat(operator.barriers()).isEmpty();
    operator.press("Hide");
    operator.gone(By.cssSelector("main .note"));
    operator.show("/ui/pools?pool=billing");
    assertThat(operator.texts(By.cssSelector("main"))).noneMatch(text -> text.contains("whsec_"));
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void the_audit_log_says_who_has_changed_what_and_who_was_refused(int width) {
    String handler = "audited-" + width;
    operator.resize(width);
    operator.show("/ui/");
    node.client().schedule(TaskRequest.to(handler).delay(Duration.ofDays(1)).build());
    node.client().handlers().setPause(HandlerPause.pause(handler).because("a test"));
    operator.show("/ui/audit");
    operator.fill("object", handler);
    operator.press("Search");

    operator.read("main table", "operator", "SetPause", "handler " + handler, "OK");

    assertThat(operator.place()).isEqualTo("/ui/audit?object=" + handler);
    operator.click(By.linkText(handler));
    operator.read("main h1", handler);
    operator.read("main section", "Pauses", "a test");
    assertThat(operator.barriers()).isEmpty();
  }

  @Test
  void the_screens_are_reached_and_used_by_keys() {
    operator.resize(WIDE);
    operator.show("/ui/");
    operator.type(Keys.TAB);
    operator.focused(By.cssSelector("a.skip"));
    operator.type(Keys.ENTER);
    operator.focused(By.id("main"));
    operator.type("g", "h");
    operator.read("main h1", "Handlers");
    operator.type("g", "f");
    operator.read("main h1", "Failures");
    operator.type("/");
    operator.focused(By.name("handler"));
    operator.type("charge", Keys.ENTER);
    operator.read("main h2", "2 newest that match");
    operator.show("/ui/handlers/charge");

    operator.type("?");
    operator.read("dialog[open]", "Keys", "search", "Overview");
    operator.type(Keys.ESCAPE);
    operator.gone(By.cssSelector("dialog[open]"));
    By pause = By.xpath("//div[@class='head']//button[starts-with(normalize-space(), 'Pause')]");
    for (int i = 0; i < 40 && !operator.hasFocus(pause); i++) {
      operator.type(Keys.TAB);
    }
    operator.focused(pause);
    operator.type(Keys.ENTER);
    operator.focused(By.cssSelector("dialog[open] input[name=collection]"));
    operator.type(Keys.ESCAPE);
    operator.gone(By.cssSelector("dialog[open]"));
    operator.focused(pause);

    operator.show("/ui/schedules/every-second");
    operator.see(By.cssSelector(".ledger button[tabindex='0']"));
    operator.script("return document.querySelector(\".ledger button[tabindex='0']\").focus() ?? 1");
    operator.type(Keys.ENTER);
    operator.read("section[aria-live]", "It made");
    operator.type(Keys.ARROW_LEFT);
    operator.focused(By.cssSelector(".ledger button[aria-pressed='false'][tabindex='0']"));
    assertThat(operator.clicks()).isZero();
  }

  @Test
  void light_and_dark_are_those_of_the_system_until_somebody_chooses() {
    String ground = "return getComputedStyle(document.documentElement).backgroundColor";
    By theme = By.xpath("//label[starts-with(normalize-space(), 'Theme')]/select");
    operator.resize(WIDE);
    operator.show("/ui/");
    operator.awaitScript("rgb(245, 246, 248)", ground);
    operator.colours("dark");
    operator.awaitScript("rgb(16, 20, 26)", ground);
    assertThat(operator.barriers()).isEmpty();

    operator.choose(theme, "light");
    operator.awaitScript("rgb(245, 246, 248)", ground);
    operator.show("/ui/tasks");
    operator.awaitScript("rgb(245, 246, 248)", ground);

    operator.colours("light");
    operator.choose(theme, "dark");
    operator.awaitScript("rgb(16, 20, 26)", ground);
    assertThat(operator.barriers()).isEmpty();
    operator.choose(theme, "system");
    operator.awaitScript("rgb(245, 246, 248)", ground);
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_replica_shows_what_it_has_executed_and_where_another_parts_from_it(int width)
      throws IOException {
    try (BrowserSession browser = BrowserSession.start(replicaOrigin())) {
      browser.resize(width);
      browser.show("/ui/");
      browser.read("main h1", "Replica 0 of the cluster", node.run());
      browser.read("main", "Leader", "this replica", "Membership", "leads", "Latest digest");
      browser.click(
          By.xpath("//section[h2='Tables']//td[@data-label='Component']/a[normalize-space()='1']"));
      browser.read("main", "Entries of component 1", "heartbeat", "a task for mail");
      browser.read("main", "Latest fires of component 1", "UTC");

      browser.click(By.linkText("Read the trail"));
      browser.read("main", "Where two replicas part", "the latest 20 are shown");
      String trail = browser.fetched("/v1/replica/trail?since=0");
      browser.upload(By.cssSelector("input[type=file]"), file("same", trail));
      browser.read("main [role=status]", "No difference to replica 1");
      browser.upload(
          By.cssSelector("input[type=file]"),
          file("parted", trail.replaceAll("(?<=\"writes\": ?\")\\d+", "12345")));
      browser.read("main [role=status]", "differs", "Here", "There", "0000000000003039");
      assertThat(browser.barriers()).isEmpty();
      assertThat(browser.faults()).isEmpty();
    }
  }

  private static Path file(String name, String trail) throws IOException {
    return Files.writeString(
        folder.resolve(name + ".json"), trail.replaceFirst("\\{", "{\"replica\": 1,"));
  }
}
