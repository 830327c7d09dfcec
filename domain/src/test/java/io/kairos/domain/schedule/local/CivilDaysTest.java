package io.kairos.domain.schedule.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class CivilDaysTest {
  @Test
  void every_day_of_a_thousand_years_is_the_one_of_java_time() {
    LocalDate date = LocalDate.of(1599, 12, 31);
    while (date.getYear() < 2600) {
      int packed = CivilDays.date(date.toEpochDay());
      assertThat(
              LocalDate.of(CivilDays.year(packed), CivilDays.month(packed), CivilDays.day(packed)))
          .isEqualTo(date);
      assertThat(CivilDays.epochDay(date.getYear(), date.getMonthValue(), date.getDayOfMonth()))
          .isEqualTo(date.toEpochDay());
      assertThat(CivilDays.weekday(date.toEpochDay()))
          .isEqualTo(date.getDayOfWeek().getValue() % 7);
      assertThat(CivilDays.lengthOfMonth(date.getYear(), date.getMonthValue()))
          .isEqualTo(date.lengthOfMonth());
      date = date.plusDays(1);
    }
  }

  @Test
  void the_ends_of_time_are_counted_as_well() {
    for (LocalDate date :
        new LocalDate[] {
          LocalDate.of(0, 1, 1), LocalDate.of(-1, 12, 31), LocalDate.of(9_999, 12, 31)
        }) {
      int packed = CivilDays.date(date.toEpochDay());
      assertThat(
              LocalDate.of(CivilDays.year(packed), CivilDays.month(packed), CivilDays.day(packed)))
          .isEqualTo(date);
    }
  }
}
