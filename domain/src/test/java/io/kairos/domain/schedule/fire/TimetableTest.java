package io.kairos.domain.schedule.fire;

import static io.kairos.domain.schedule.fire.Schedules.CREATED;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimetableTest {
  /** Bursts and long gaps, as cron makes them. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void looks_backwards_as_a_list_would(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    NavigableSet<Instant> all = new TreeSet<>();
    Instant at = CREATED;
    for (int i = 0; i < 400; i++) {
      at = at.plusSeconds(random.nextInt(20) == 0 ? random.nextInt(1, 10_000_000) : 1);
      all.add(at);
    }
    Timetable times = after -> Optional.ofNullable(all.higher(after));

    for (int i = 0; i < 200; i++) {
      Instant after =
          CREATED.plusSeconds(random.nextLong(Duration.between(CREATED, at).toSeconds()));
      Instant to = after.plusSeconds(random.nextLong(200_000_000));
      int limit = random.nextInt(1, 120);
      List<Instant> between = new ArrayList<>(all.subSet(after, false, to, true));
      List<Instant> latest = between.subList(Math.max(0, between.size() - limit), between.size());

      assertThat(times.latest(after, to, limit)).isEqualTo(latest);
      assertThat(times.last(after, to))
          .isEqualTo(between.isEmpty() ? Optional.empty() : Optional.of(between.getLast()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 60, 86_400, 31_536_000})
  void finds_the_latest_hundred_of_centuries_by_some_hundred_questions(long seconds) {
    int[] asked = {0};
    Timetable times =
        after -> {
          asked[0]++;
          long passed = Duration.between(CREATED, after).toSeconds();
          return Optional.of(CREATED.plusSeconds((passed / seconds + 1) * seconds));
        };
    Instant now = CREATED.plus(Duration.ofDays(365_000));

    List<Instant> latest = times.latest(CREATED, now, 100);

    assertThat(latest).hasSize(100);
    assertThat(latest.getLast()).isAfter(now.minusSeconds(seconds));
    assertThat(asked[0]).isLessThan(1_500);
  }

  @Test
  void there_may_be_none() {
    Timetable times = _ -> Optional.empty();

    assertThat(times.latest(CREATED, CREATED.plusSeconds(1_000_000), 5)).isEmpty();
  }
}
