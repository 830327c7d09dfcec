package io.kairos.server.wiring;

import static io.kairos.server.wiring.DashboardNode.NARROW;
import static io.kairos.server.wiring.DashboardNode.WIDE;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleSpec;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.browser.BrowserSession;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;

/**
 * The schedules in a browser, of a node that was away for seven hours and ten minutes: they are
 * made, fired, paused, backfilled, and say why they have run or not.
 */
@Timeout(240)
class BrowserSchedulesEndToEndTest {
  @AutoClose private static DashboardNode node;
  private static BrowserSession operator;

  @BeforeAll
  static void start() throws Exception {
    BrowserSession.requireInstalled();
    String database = EmbeddedPostgres.shared().newDatabase();
    try (RunningNode before = Configured.startedOn(database);
        KairosClient client = KairosClient.connect(Configured.address(before))) {
      for (ScheduleSpec.CatchUp mode :
          new ScheduleSpec.CatchUp[] {ScheduleSpec.CatchUp.NONE, ScheduleSpec.CatchUp.LATEST}) {
        client
            .schedules()
            .create(
                ScheduleSpec.named("backup/" + mode.name().toLowerCase(Locale.ROOT))
                    .every(Duration.ofHours(1))
                    .handler("backup")
                    .catchUp(mode)
                    .build());
      }
    }
    stayAway(database);
    node = DashboardNode.startOn(database);
    node.with("a worker", node.worker("backup", (_, _) -> {}));
    operator = node.browser(DashboardNode.OPERATOR);
  }

  /** Makes the schedules as old as if no node had run for so long. */
  private static void stayAway(String database) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                database, EmbeddedPostgres.shared().user(), EmbeddedPostgres.shared().password());
        Statement statement = connection.createStatement()) {
      int changed =
          statement.executeUpdate(
              """
              update schedule s set created_at = created_at - away, updated_at = updated_at - away, since = since - away,
                decided_to = decided_to - away, next_at = next_at - away
              from (values (bigint '25800000000')) as outage (away)
              """);
      assertThat(changed).isEqualTo(2);
    }
  }

  @AfterEach
  void no_page_has_done_what_it_must_not() {
    assertThat(operator.faults()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_schedule_says_which_fire_times_it_has_missed_during_an_outage(int width) {
    operator.resize(width);
    operator.show("/ui/schedules?prefix=backup");
    operator.click(By.linkText("backup/none"));
    operator.read(
        "main",
        "Ledger",
        "0 fired; at least 2 skipped: a range of them because it was missed, and missed ones are not"
            + " caught up");
    operator.click(By.cssSelector(".ledger button.skipped"));
    operator.read("section[aria-live]", "skipped", "missed");
    assertThat(operator.place()).startsWith("/ui/schedules/backup%2Fnone?at=");
    assertThat(operator.barriers()).isEmpty();

    operator.show("/ui/schedules/backup%2Flatest");
    operator.read(
        "main",
        "Ledger",
        "1 fired, 1 of them late; at least 2 skipped: a range of them because it was missed, and a"
            + " later one fired in its place");
    operator.click(By.cssSelector(".ledger button.late"));
    operator.read(
        "section[aria-live]",
        "fired late",
        "10 min",
        "after the fire time",
        "It made",
        "succeeded");
    assertThat(operator.barriers()).isEmpty();
    DashboardNode.picture(operator, "schedule");
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
    operator.fill("handler", "backup");
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

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void missed_fire_times_are_made_up_for_by_a_backfill_and_the_next_ones_are_in_the_calendar(
      int width) {
    String name = "sync/at-" + width;
    node.client()
        .schedules()
        .create(ScheduleSpec.named(name).cron("0 * * * *").handler("backup").build());
    operator.resize(width);
    operator.show("/ui/schedules/" + name.replace("/", "%2F"));
    operator.press("Backfill…");
    operator.set("from", "2026-01-05T00:00:00");
    operator.set("to", "2026-01-05T03:00:00");
    operator.goOn("Count");
    operator.read("dialog[open]", "4 fire times");
    assertThat(operator.barriers()).isEmpty();
    operator.confirm("Fire for 4 fire times");

    operator.read(".said", "4 fire times fired, 0 skipped");
    operator.read("main", "Ledger", "4 fired");
    operator.show("/ui/schedules?view=calendar&prefix=" + name.replace("/", "%2F"));
    operator.read("main", "The next 30 days", "planned fire times of the schedules that match");
    assertThat(operator.barriers()).isEmpty();
  }
}
