package io.kairos.model.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Time rules against the minute stepper: a sample, another in each run. {@code -Dtest.seed} replays
 * one; {@code ./kairos bench calendar} runs everything.
 */
class CalendarOracleTest {
  private static final int CHANGES = 40;
  private static final int ZONES = 5;
  private static final int EXPRESSIONS = 150;

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  private final List<ZoneId> zones = CalendarCheck.zones();

  private ZoneId anyZone() {
    return zones.get(random.nextInt(zones.size()));
  }

  @Test
  void c4_around_any_change_of_any_zone_the_fires_are_those_of_the_oracle() {
    RandomCron expressions = new RandomCron(random);
    for (int i = 0; i < CHANGES; i++) {
      ZoneId zone = anyZone();
      List<Instant> changes = CalendarCheck.changes(zone);
      Instant change =
          changes.isEmpty() ? CalendarCheck.BEGIN : changes.get(random.nextInt(changes.size()));
      CalendarCheck.Around around = new CalendarCheck.Around(zone, change);
      for (CronCase cron : CronCase.FIXED) {
        assertThat(around.check(cron)).as("-Dtest.seed=%d at %s", seed, change).isEmpty();
      }
      for (int k = 0; k < 4; k++) {
        assertThat(around.check(expressions.next()))
            .as("-Dtest.seed=%d at %s", seed, change)
            .isEmpty();
      }
    }
  }

  /**
   * Midnight that does not exist, a day that does not exist, half an hour, late on Saturday, seven
   * hours, odd seconds, two hours, winter time that is negative, four changes in a year.
   */
  @ParameterizedTest
  @CsvSource({
    "Africa/Cairo, 2026-04-23T22:00:00Z",
    "Pacific/Apia, 2011-12-30T10:00:00Z",
    "Pacific/Kwajalein, 1993-08-21T12:00:00Z",
    "Pacific/Kiritimati, 1994-12-31T10:00:00Z",
    "Australia/Lord_Howe, 2026-10-03T15:30:00Z",
    "America/Nuuk, 2026-03-29T01:00:00Z",
    "Antarctica/Vostok, 1994-11-01T00:00:00Z",
    "Africa/Monrovia, 1972-01-07T00:44:30Z",
    "Antarctica/Troll, 2026-03-29T01:00:00Z",
    "Europe/Dublin, 2026-10-25T01:00:00Z",
    "Africa/Casablanca, 2026-03-22T02:00:00Z",
    "America/Caracas, 2016-05-01T07:00:00Z"
  })
  void c4_the_oddest_changes_of_all_zones(ZoneId zone, Instant change) {
    CalendarCheck.Around around = new CalendarCheck.Around(zone, change);

    assertThat(CalendarCheck.changes(zone)).contains(change);
    for (CronCase cron : CronCase.FIXED) {
      assertThat(around.check(cron)).isEmpty();
    }
  }

  @Test
  void c4_no_day_that_exists_is_lost_and_none_is_doubled() {
    for (int i = 0; i < ZONES; i++) {
      ZoneId zone = i == 0 ? ZoneId.of("Africa/Cairo") : anyZone();
      List<LocalDate> days = CalendarCheck.days(zone);
      assertThat(CalendarCheck.daily(zone, days, random.nextInt(24), random.nextInt(60)))
          .as("-Dtest.seed=%d", seed)
          .isEmpty();
      assertThat(CalendarCheck.daily(zone, days, 0, 0)).isEmpty();
    }
  }

  @Test
  void ph38_ph39_ph40_any_expression_names_the_days_of_the_oracle() {
    RandomCron expressions = new RandomCron(random);
    for (int i = 0; i < EXPRESSIONS; i++) {
      LocalDate from = LocalDate.of(1970 + random.nextInt(130), 1 + random.nextInt(12), 1);
      assertThat(CalendarCheck.dates(expressions.next(), from, 500))
          .as("-Dtest.seed=%d", seed)
          .isEmpty();
    }
  }
}
