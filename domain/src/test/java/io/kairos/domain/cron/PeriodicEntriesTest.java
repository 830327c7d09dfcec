package io.kairos.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.schedule.FireTimes;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.ScheduleClock;
import io.kairos.domain.schedule.TimePattern;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.cron.CronSyntax;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeriodicEntriesTest {
  private static final ComponentId OURS = new ComponentId(7);
  private static final Duration TEN = Duration.ofSeconds(10);
  private static final Instant EPOCH = Instant.EPOCH;

  private final ReservedPages pages = new ReservedPages(1 << 22);
  private final List<String> done = new ArrayList<>();
  private CronTable table = newTable();
  private long sequence;

  private CronTable newTable() {
    return new CronTableRegistry(pages, CronListener.NONE).table(OURS);
  }

  private void tickAt(long millis) {
    table.evaluate(new Tick(OURS, ++sequence, AgreedTime.at(millis)));
  }

  private void tickWithoutTime() {
    table.evaluate(new Tick(OURS, ++sequence, AgreedTime.OFF));
  }

  /** Published: acts, and says the tick's time. */
  private CronEntry every(int position, Duration period) {
    return PeriodicEntries.every(
        table,
        position,
        period,
        tick -> done.add(position + " at " + ((AgreedTime.At) tick.time()).epochMillis()));
  }

  private FireAction saying() {
    return (tick, fireTime) ->
        done.add(fireTime.toEpochMilli() + " at " + ((AgreedTime.At) tick.time()).epochMillis());
  }

  private static FireTimes cron(String text, ZoneId zone) {
    TimePattern pattern = TimePattern.parse(text, CronSyntax.UNIX, "a table", EPOCH);
    return new TimeRule(pattern, RuleTerms.in(ScheduleClock.in(zone))).fireTimes(Map.of());
  }

  @Test
  void cc24_the_first_tick_fires_and_the_next_time_is_a_period_later() {
    table.add(every(1, TEN));
    assertThat(table.nextFire(1)).isEmpty();

    tickAt(3_000);

    assertThat(done).containsExactly("1 at 3000");
    assertThat(table.nextFire(1)).hasValue(Instant.ofEpochMilli(13_000));
  }

  @Test
  void cc25_an_entry_that_is_told_its_time_acts_once_and_waits_for_the_next() {
    table.add(PeriodicEntries.whenTold(table, 1, saying()));
    tickAt(1_000);
    assertThat(done).isEmpty();

    table.tell(new TreeMap<>(Map.of(1, Instant.ofEpochMilli(5_000))));
    assertThat(table.nextFire(1)).hasValue(Instant.ofEpochMilli(5_000));
    tickAt(4_999);
    tickAt(6_000);
    tickAt(7_000);

    assertThat(done).containsExactly("5000 at 6000");
    assertThat(table.nextFire(1)).isEmpty();

    table.tell(new TreeMap<>(Map.of(1, Instant.ofEpochMilli(2_000)))); // long passed
    tickAt(8_000);
    assertThat(done).hasSize(2);
    table.remove(1);
    assertThat(pages.count()).isZero();
  }

  @Test
  void cc25_an_entry_is_due_exactly_at_its_next_time() {
    table.add(every(1, TEN));
    tickAt(0);

    tickAt(9_999);
    assertThat(done).hasSize(1);
    tickAt(10_000);
    assertThat(done).containsExactly("1 at 0", "1 at 10000");
  }

  @Test
  void cc26_lateness_adds_up_and_many_missed_periods_are_one_fire() {
    table.add(every(1, TEN));
    tickAt(0);

    tickAt(12_345);
    tickAt(22_344);
    tickAt(22_345);
    tickAt(1_000_000);
    tickAt(1_009_999);

    assertThat(done).containsExactly("1 at 0", "1 at 12345", "1 at 22345", "1 at 1000000");
  }

  @Test
  void cc23_without_agreed_time_nothing_periodic_runs() {
    table.add(every(1, TEN));
    table.add(PeriodicEntries.atFixedRate(table, 2, TEN, EPOCH, saying()));
    table.add(PeriodicEntries.at(table, 3, cron("* * * * *", ZoneId.of("UTC")), saying()));

    for (int i = 0; i < 100; i++) {
      tickWithoutTime();
    }

    assertThat(done).isEmpty();
    assertThat(pages.count()).isZero();
  }

  @Test
  void cc23_time_that_is_off_for_a_while_delays_and_loses_nothing() {
    table.add(every(1, TEN));
    tickAt(0);
    tickWithoutTime();
    tickAt(15_000);

    assertThat(done).containsExactly("1 at 0", "1 at 15000");
  }

  @Test
  void cc19_cc35_the_rate_of_ticks_changes_how_exactly_times_are_met_and_not_how_often() {
    table.add(PeriodicEntries.atFixedRate(table, 1, TEN, EPOCH, (_, _) -> done.add("fast")));
    for (long millis = 1; millis <= 100_000; millis += 7) {
      tickAt(millis);
    }
    int fast = done.size();
    done.clear();
    table.remove(1);
    table.add(PeriodicEntries.atFixedRate(table, 1, TEN, EPOCH, (_, _) -> done.add("slow")));
    for (long millis = 1; millis <= 100_000; millis += 3_333) {
      tickAt(millis);
    }

    assertThat(fast).isEqualTo(9); // 10 s to 90 s; the last tick comes just before 100 s
    assertThat(done).hasSize(9);
  }

  @Test
  void an_anchored_rate_does_not_drift_and_tells_its_fire_time() {
    table.add(
        PeriodicEntries.atFixedRate(
            table, 1, TEN, Instant.ofEpochMilli(1_000_000_003_000L), saying()));

    tickAt(1_000);
    tickAt(2_999);
    tickAt(3_500);
    tickAt(13_000);
    tickAt(22_999);
    tickAt(47_000);
    tickAt(52_999);
    tickAt(53_000);

    assertThat(done)
        .containsExactly("3000 at 3500", "13000 at 13000", "23000 at 47000", "53000 at 53000");
  }

  @Test
  void an_anchored_rate_may_begin_with_its_first_tick() {
    table.add(PeriodicEntries.atFixedRate(table, 1, TEN, EPOCH, saying()));

    tickAt(20_000);

    assertThat(done).containsExactly("20000 at 20000");
  }

  @Test
  void a_cron_expression_fires_at_its_times_in_its_zone() {
    long monday = Instant.parse("2026-11-23T08:00:00Z").toEpochMilli();
    table.add(
        PeriodicEntries.at(table, 1, cron("30 9 * * 1", ZoneId.of("Europe/Berlin")), saying()));

    tickAt(monday);
    tickAt(monday + 1_799_999);
    assertThat(done).isEmpty();
    tickAt(monday + 1_800_250);

    assertThat(done).containsExactly((monday + 1_800_000) + " at " + (monday + 1_800_250));
    assertThat(table.nextFire(1)).hasValue(Instant.parse("2026-11-30T08:30:00Z"));
  }

  @Test
  void a_rule_that_has_no_more_fire_times_is_quiet_for_ever() {
    table.add(
        PeriodicEntries.at(table, 1, cron("@at 1970-01-01T00:01:00Z", ZoneId.of("UTC")), saying()));

    tickAt(59_000);
    tickAt(61_000);
    tickAt(62_000);
    tickAt(1_000_000);

    assertThat(done).containsExactly("60000 at 61000");
    assertThat(table.nextFire(1)).isEmpty();
    assertThat(pages.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0005S", "P3651D"})
  void a_period_has_whole_milliseconds_up_to_ten_years(Duration period) {
    assertThatThrownBy(() -> every(1, period)).hasMessageContaining("1 ms to 3,650 days");
  }

  @Test
  void cc27_the_schedule_is_written_once_a_tick_and_only_if_it_has_changed() {
    for (int position = 0; position < 300; position++) {
      table.add(every(position, TEN));
    }

    tickAt(0);
    assertThat(pages.writes()).isEqualTo(1);
    tickAt(9_000);
    assertThat(pages.writes()).isEqualTo(1);
    tickAt(10_000);
    assertThat(pages.writes()).isEqualTo(2);
  }

  @Test
  void cc27_a_next_time_is_in_memory_until_the_tick_ends() {
    table.add(every(1, TEN));
    table.add(new CronEntry(2, _ -> true, _ -> done.add(pages.count() + " pages")));

    tickAt(0);

    assertThat(done).containsExactly("1 at 0", "0 pages");
    assertThat(pages.count()).isEqualTo(1);
  }

  @Test
  void cc28_removing_an_entry_forgets_its_time_only_and_at_once() {
    table.add(every(1, TEN));
    table.add(every(2, TEN));
    tickAt(0);

    table.remove(1);

    CronTable later = newTable();
    assertThat(later.nextFire(1)).isEmpty();
    assertThat(later.nextFire(2)).hasValue(Instant.ofEpochSecond(10));
  }

  @Test
  void cc28_the_whole_schedule_can_be_forgotten() {
    for (int position = 0; position < 1_000; position++) {
      table.add(every(position, TEN));
    }
    tickAt(0);
    assertThat(pages.count()).isEqualTo(3);

    table.forgetSchedule();

    assertThat(pages.count()).isZero();
    done.clear();
    tickAt(1);
    assertThat(done).hasSize(1_000);
  }

  @Test
  void cc22_cc29_a_table_that_is_built_anew_goes_on_and_a_new_position_fires_at_once() {
    table.add(every(1, TEN));
    tickAt(0);

    table = newTable();
    table.add(every(1, TEN));
    table.add(every(2, TEN));
    tickAt(5_000);
    tickAt(10_000);

    assertThat(done).containsExactly("1 at 0", "2 at 5000", "1 at 10000");
  }

  @Test
  void cc29_an_entry_with_another_period_keeps_the_time_that_was_saved() {
    table.add(every(1, TEN));
    tickAt(0);

    table = newTable();
    table.add(every(1, Duration.ofSeconds(1)));
    tickAt(9_999);
    tickAt(10_000);
    tickAt(11_000);

    assertThat(done).containsExactly("1 at 0", "1 at 10000", "1 at 11000");
  }

  @Test
  void replacing_an_entry_begins_anew() {
    table.add(every(1, TEN));
    tickAt(0);

    table.replace(every(1, TEN));
    tickAt(1);

    assertThat(done).containsExactly("1 at 0", "1 at 1");
    assertThat(newTable().nextFire(1)).hasValue(Instant.ofEpochMilli(10_001));
  }

  @Test
  void cc31_a_snapshot_under_a_running_table_replaces_its_schedule() {
    table.add(every(1, TEN));
    table.add(every(2, TEN));
    tickAt(0);
    ReservedPages ahead = new ReservedPages(1 << 22);
    ahead.restore(pages.snapshot());
    CronTable other = new CronTableRegistry(ahead, CronListener.NONE).table(OURS);
    other.add(PeriodicEntries.every(other, 1, TEN, _ -> {}));
    other.add(PeriodicEntries.every(other, 2, TEN, _ -> {}));
    other.evaluate(new Tick(OURS, 50, AgreedTime.at(500_000)));
    other.remove(2);
    done.clear();

    pages.restore(ahead.snapshot());

    assertThat(table.nextFire(1)).hasValue(Instant.ofEpochMilli(510_000));
    tickAt(509_999);
    assertThat(done).containsExactly("2 at 509999");
    tickAt(510_000);
    assertThat(done).containsExactly("2 at 509999", "1 at 510000");
  }

  @Test
  void cc_l4_cc_f2_a_hundred_thousand_entries_fit_and_come_back() {
    int entries = 100_000;
    ReservedPages many = new ReservedPages(1 << 23);
    table = new CronTableRegistry(many, CronListener.NONE).table(OURS);
    int[] fired = {0};
    for (int position = 0; position < entries; position++) {
      table.add(
          PeriodicEntries.every(
              table, position, Duration.ofMillis(position + 1L), _ -> fired[0]++));
    }
    tickAt(0);
    assertThat(fired[0]).isEqualTo(entries);
    assertThat(many.owned(PageArea.SCHEDULE, 7)).hasSize(250);

    ReservedPages restored = new ReservedPages(1 << 23);
    restored.restore(ReservedPages.Snapshot.decode(many.snapshot().encode()));
    table = new CronTableRegistry(restored, CronListener.NONE).table(OURS);
    fired[0] = 0;
    for (int position = 0; position < entries; position++) {
      table.add(
          PeriodicEntries.every(
              table, position, Duration.ofMillis(position + 1L), _ -> fired[0]++));
    }
    long before = restored.writes();
    tickAt(400);

    assertThat(fired[0]).isEqualTo(400);
    assertThat(restored.writes() - before).isEqualTo(1);
  }

  @Test
  void sparse_positions_cost_pages_only_where_they_are() {
    int[] positions = {0, 399, 400, 1_000_000, Integer.MAX_VALUE};
    for (int position : positions) {
      table.add(every(position, TEN));
    }
    tickAt(0);

    assertThat(pages.count()).isEqualTo(4);
    CronTable later = newTable();
    for (int position : positions) {
      assertThat(later.nextFire(position)).hasValue(Instant.ofEpochSecond(10));
    }
  }

  @Test
  void cc10_an_action_that_always_throws_is_tried_once_a_period() {
    int[] tried = {0};
    table.add(
        PeriodicEntries.every(
            table,
            1,
            TEN,
            _ -> {
              tried[0]++;
              throw new IllegalArgumentException("on purpose");
            }));

    for (long millis = 0; millis < 30_000; millis += 1_000) {
      tickAt(millis);
    }

    assertThat(tried[0]).isEqualTo(3);
    assertThat(table.failureCount()).isEqualTo(3);
  }

  @Test
  void cc50_an_entry_that_may_run_n_times_runs_n_times() {
    int[] left = {5};
    table.add(
        new CronEntry(
            1,
            _ -> left[0] > 0,
            tick -> {
              left[0]--;
              done.add("run " + tick.sequence());
            }));

    for (int i = 0; i < 20; i++) {
      tickWithoutTime();
    }

    assertThat(done).containsExactly("run 1", "run 2", "run 3", "run 4", "run 5");
  }
}
