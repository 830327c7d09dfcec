package io.kairos.domain.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeriodUnitTest {
  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "MINUTE, 2026-03-04T05:06:07Z, UTC, 2026-03-04T05:06:00Z, 2026-03-04T05:07:00Z",
    "HOUR, 2026-03-04T05:06:07Z, UTC, 2026-03-04T05:00:00Z, 2026-03-04T06:00:00Z",
    "HOUR, 2026-03-04T05:06:07Z, Asia/Kolkata, 2026-03-04T04:30:00Z, 2026-03-04T05:30:00Z",
    "HOUR, 2026-10-25T00:30:00Z, Europe/Berlin, 2026-10-25T00:00:00Z, 2026-10-25T01:00:00Z",
    "HOUR, 2026-10-25T01:30:00Z, Europe/Berlin, 2026-10-25T01:00:00Z, 2026-10-25T02:00:00Z",
    "HOUR, 2026-04-04T14:50:00Z, Australia/Lord_Howe, 2026-04-04T14:00:00Z, 2026-04-04T15:00:00Z",
    "HOUR, 2026-04-04T15:10:00Z, Australia/Lord_Howe, 2026-04-04T14:30:00Z, 2026-04-04T15:30:00Z",
    "HOUR, 2026-04-04T15:40:00Z, Australia/Lord_Howe, 2026-04-04T15:30:00Z, 2026-04-04T16:30:00Z",
    "HOUR, 2026-10-03T15:20:00Z, Australia/Lord_Howe, 2026-10-03T14:30:00Z, 2026-10-03T15:30:00Z",
    "HOUR, 2026-10-03T15:40:00Z, Australia/Lord_Howe, 2026-10-03T15:00:00Z, 2026-10-03T16:00:00Z",
    "DAY, 2026-03-04T23:30:00Z, UTC, 2026-03-04T00:00:00Z, 2026-03-05T00:00:00Z",
    "DAY, 2026-03-04T23:30:00Z, Europe/Berlin, 2026-03-04T23:00:00Z, 2026-03-05T23:00:00Z",
    "DAY, 2026-10-25T12:00:00Z, Europe/Berlin, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
    "WEEK, 2026-03-08T12:00:00Z, UTC, 2026-03-02T00:00:00Z, 2026-03-09T00:00:00Z",
    "MONTH, 2026-02-28T23:30:00Z, UTC, 2026-02-01T00:00:00Z, 2026-03-01T00:00:00Z",
    "MONTH, 2026-02-28T23:30:00Z, Europe/Berlin, 2026-02-28T23:00:00Z, 2026-03-31T22:00:00Z",
  })
  void a_due_time_is_in_one_period_of_its_zone(
      PeriodUnit unit, Instant due, String zone, Instant start, Instant end) {
    assertThat(unit.around(due, ZoneId.of(zone), LONG_AGO))
        .isEqualTo(
            new TaskIdempotency.Window.Period(unit, EpochMicros.of(start), EpochMicros.of(end)));
  }

  @Test
  void the_key_of_a_past_period_is_kept_for_as_long_from_now_on() {
    Instant now = Instant.parse("2026-03-04T05:06:07Z");

    TaskIdempotency.Window.Period past =
        PeriodUnit.DAY.around(now.minus(Duration.ofDays(9)), ZoneId.of("UTC"), now);

    assertThat(past.untilMicros()).isEqualTo(EpochMicros.of(now.plus(Duration.ofDays(1))));
  }

  @Test
  void the_key_of_each_period_is_another_and_none_that_a_caller_could_choose() {
    ZoneId utc = ZoneId.of("UTC");
    Instant due = Instant.parse("2026-03-04T05:06:07Z");

    String today = stored(PeriodUnit.DAY.around(due, utc, LONG_AGO));

    assertThat(stored(PeriodUnit.DAY.around(due.plusSeconds(60), utc, LONG_AGO))).isEqualTo(today);
    assertThat(stored(PeriodUnit.DAY.around(due.plus(Duration.ofDays(1)), utc, LONG_AGO)))
        .isNotEqualTo(today);
    assertThat(stored(PeriodUnit.HOUR.around(due, utc, LONG_AGO))).isNotEqualTo(today);
    assertThat(KeyText.isValid(today)).isFalse();
  }

  private static String stored(TaskIdempotency.Window window) {
    return new TaskIdempotency("key", window, TaskIdempotency.OnConflict.KEEP).storedKey();
  }
}
