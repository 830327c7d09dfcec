package io.kairos.domain.schedule.recurrence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.domain.schedule.local.LocalRule;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of RFC 5545, section 3.8.5.3, as far as they are supported, and what is not. */
class RecurrenceTest {
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

  private static Recurrence of(String rule, String start) {
    return Recurrence.parse(rule, LocalDateTime.parse(start), NEW_YORK);
  }

  private static List<String> all(Recurrence recurrence, int limit) {
    List<String> times = new ArrayList<>();
    long second = Long.MIN_VALUE / 2;
    while (times.size() < limit) {
      second = recurrence.rule().nextAtOrAfter(second);
      if (second == LocalRule.NEVER) {
        return times;
      }
      String time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC).toString();
      times.add(time.endsWith("T09:00") ? time.substring(0, 10) : time);
      second++;
    }
    return times;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=DAILY;COUNT=3 | 1997-09-02 1997-09-03 1997-09-04",
        "FREQ=DAILY;INTERVAL=10;COUNT=5 | 1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12",
        "FREQ=WEEKLY;COUNT=3 | 1997-09-02 1997-09-09 1997-09-16",
        "FREQ=WEEKLY;UNTIL=19970907T000000Z;WKST=SU;BYDAY=TU,TH | 1997-09-02 1997-09-04",
        "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH | 1997-09-02 1997-09-04 1997-09-16 1997-09-18"
            + " 1997-09-30 1997-10-02 1997-10-14 1997-10-16",
        "FREQ=MONTHLY;COUNT=4;BYDAY=1FR | 1997-09-05 1997-10-03 1997-11-07 1997-12-05",
        "FREQ=MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU | 1997-09-07 1997-09-28 1997-11-02 1997-11-30"
            + " 1998-01-04 1998-01-25",
        "FREQ=MONTHLY;COUNT=3;BYDAY=-2MO | 1997-09-22 1997-10-20 1997-11-17",
        "FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3 | 1997-09-28 1997-10-29 1997-11-28",
        "FREQ=MONTHLY;COUNT=4;BYMONTHDAY=2,15 | 1997-09-02 1997-09-15 1997-10-02 1997-10-15",
        "FREQ=MONTHLY;COUNT=4;BYMONTHDAY=1,-1 | 1997-09-30 1997-10-01 1997-10-31 1997-11-01",
        "FREQ=MONTHLY;INTERVAL=18;COUNT=3;BYMONTHDAY=10,11,12 | 1997-09-10 1997-09-11 1997-09-12",
        "FREQ=YEARLY;COUNT=4;BYMONTH=6,7 | 1998-06-02 1998-07-02 1999-06-02 1999-07-02",
        "FREQ=YEARLY;BYDAY=20MO;COUNT=2 | 1998-05-18 1999-05-17",
        "FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=3 | 1998-03-05 1998-03-12 1998-03-19",
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3 | 1998-02-13 1998-03-13 1998-11-13",
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=2 | 1997-11-04 2001-11-06",
        "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3 | 1997-09-04 1997-10-07 1997-11-06",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=3 | 1997-09-29 1997-10-30 1997-11-27",
        "FREQ=HOURLY;INTERVAL=3;COUNT=3 | 1997-09-02 1997-09-02T12:00 1997-09-02T15:00",
        "FREQ=MINUTELY;INTERVAL=90;COUNT=3 | 1997-09-02 1997-09-02T10:30 1997-09-02T12:00",
        "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,30;COUNT=4 | 1997-09-02 1997-09-02T09:30 1997-09-02T10:00"
            + " 1997-09-02T10:30",
        "FREQ=MINUTELY;INTERVAL=20;BYHOUR=16;COUNT=3 | 1997-09-02T16:00 1997-09-02T16:20 1997-09-02T16:40",
        "RRULE:FREQ=YEARLY;COUNT=2 | 1997-09-02 1998-09-02",
        "freq=secondly;interval=45;count=2 | 1997-09-02 1997-09-02T09:00:45"
      })
  void the_examples_of_the_standard(String rule, String expected) {
    assertThat(String.join(" ", all(of(rule, "1997-09-02T09:00:00"), 20))).isEqualTo(expected);
  }

  @Test
  void weeks_begin_where_the_rule_says() {
    assertThat(all(of("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05T09:00"), 9))
        .containsExactly("1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24");
    assertThat(all(of("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05T09:00"), 9))
        .containsExactly("1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31");
  }

  @Test
  void a_day_that_a_month_lacks_is_passed_over() {
    assertThat(all(of("FREQ=MONTHLY;COUNT=3", "2026-01-31T09:00"), 9))
        .containsExactly("2026-01-31", "2026-03-31", "2026-05-31");
    assertThat(all(of("FREQ=YEARLY;COUNT=2", "2028-02-29T09:00"), 9))
        .containsExactly("2028-02-29", "2032-02-29");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INTERVAL=2                       | FREQ       | ''            | YEARLY",
        "FREQ=FORTNIGHTLY                 | FREQ       | FORTNIGHTLY   | YEARLY",
        "FREQ=YEARLY;BYWEEKNO=20          | BYWEEKNO   | BYWEEKNO=20   | FREQ, INTERVAL",
        "FREQ=YEARLY;BYYEARDAY=100        | BYYEARDAY  | BYYEARDAY=100 | FREQ, INTERVAL",
        "FREQ=YEARLY;RSCALE=HEBREW        | RSCALE     | RSCALE=HEBREW | FREQ, INTERVAL",
        "FREQ=DAILY;nonsense              | recurrence | nonsense      | NAME=value",
        "FREQ=DAILY;FREQ=DAILY            | FREQ       | DAILY         | once",
        "FREQ=DAILY;INTERVAL=0            | INTERVAL   | 0             | 1 to 10000",
        "FREQ=DAILY;COUNT=99999           | COUNT      | 99999         | 1 to 10000",
        "FREQ=DAILY;UNTIL=2027            | UNTIL      | 2027          | 20271231",
        "FREQ=DAILY;COUNT=2;UNTIL=20270101 | UNTIL     | 20270101      | not both",
        "FREQ=DAILY;BYHOUR=24             | BYHOUR     | 24            | 0 to 23",
        "FREQ=DAILY;BYHOUR=1,,2           | BYHOUR     | ''            | 0 to 23",
        "FREQ=DAILY;BYSECOND=60           | BYSECOND   | 60            | 0 to 59",
        "FREQ=MONTHLY;BYMONTHDAY=0        | BYMONTHDAY | 0             | without 0",
        "FREQ=MONTHLY;BYDAY=6MO           | BYDAY      | 6             | -5 to 5",
        "FREQ=MONTHLY;BYDAY=XX            | BYDAY      | XX            | SU, MO",
        "FREQ=WEEKLY;BYDAY=1MO            | BYDAY      | 1MO           | MONTHLY or YEARLY",
        "FREQ=WEEKLY;BYMONTHDAY=1         | BYMONTHDAY | 1             | but WEEKLY",
        "FREQ=HOURLY;BYMINUTE=1;BYSETPOS=1 | BYSETPOS  | 1             | YEARLY",
        "FREQ=MONTHLY;BYSETPOS=1          | BYSETPOS   | 1             | another BY part",
        "FREQ=YEARLY;WKST=XX              | WKST       | XX            | SU, MO",
        "FREQ=DAILY;UNTIL=19970101        | recurrence | FREQ=DAILY;UNTIL=19970101 | after its start",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 | recurrence | FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 | after its start"
      })
  void what_is_not_supported_or_makes_no_sense_is_refused_by_name(
      String rule, String field, String value, String allowed) {
    RefusedExpressionException refused =
        catchThrowableOfType(
            RefusedExpressionException.class, () -> of(rule, "1997-09-02T09:00:00"));

    assertThat(refused).isNotNull();
    assertThat(refused.field()).isEqualTo(field);
    assertThat(refused.value()).isEqualTo(value);
    assertThat(refused.allowed()).contains(allowed);
    assertThat(rule.substring(refused.offset())).startsWith(value);
  }

  @Test
  void evil_rules_end_in_bounded_time() {
    assertThat(
            all(
                of(
                    "FREQ=SECONDLY;INTERVAL=9999;BYHOUR=9;BYMINUTE=0;BYSECOND=0",
                    "1997-09-02T09:00"),
                3))
        .hasSize(3);
    assertThat(all(of("FREQ=DAILY;INTERVAL=9999;BYMONTH=2;BYMONTHDAY=29", "2028-02-29T09:00"), 2))
        .isNotEmpty();
    assertThat(
            catchThrowableOfType(
                    RefusedExpressionException.class,
                    () -> of("FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "2025-01-01T09:00"))
                .allowed())
        .contains("after its start");
    assertThat(
            catchThrowableOfType(
                    RefusedExpressionException.class,
                    () -> of("FREQ=DAILY;BYHOUR=" + "1,".repeat(100_000), "2025-01-01T09:00"))
                .allowed())
        .contains("512");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=MONTHLY;BYDAY=-1FR | every month, on the last Friday, at 09:00, from 1997-09-02T09:00",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR | every 2 weeks, on Monday and Friday, at 09:00, from 1997-09-02T09:00",
        "FREQ=MONTHLY;BYMONTHDAY=-1 | every month, on the last day of the month, at 09:00, from 1997-09-02T09:00",
        "FREQ=MINUTELY;INTERVAL=90 | every 90 minutes, from 1997-09-02T09:00",
        "FREQ=YEARLY;BYDAY=20MO | every year, on the 20th Monday of the year, at 09:00, from 1997-09-02T09:00"
      })
  void each_is_said_in_english(String rule, String english) {
    assertThat(of(rule, "1997-09-02T09:00:00").describe()).isEqualTo(english);
  }
}
