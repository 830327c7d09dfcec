package io.kairos.domain.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TaskIdsTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private Instant now = START;

  private TaskIds ids(long seed) {
    return new TaskIds(() -> now, new Random(seed)::nextLong);
  }

  @Test
  void pd21_each_is_greater_than_the_one_before_also_when_the_clock_stands_still_or_goes_back() {
    TaskIds ids = ids(1);
    List<TaskId> made = new ArrayList<>();
    for (int millis : new int[] {0, 1, 1, -5_000, 3, 10}) {
      now = START.plusMillis(millis);
      for (int i = 0; i < 10_000; i++) {
        made.add(ids.next());
      }
    }

    assertThat(made).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void they_are_uuids_of_version_7_that_begin_with_the_time() {
    TaskId id = ids(2).next();

    assertThat(id.value().version()).isEqualTo(7);
    assertThat(id.value().variant()).isEqualTo(2);
    assertThat(id.value().getMostSignificantBits() >>> 16).isEqualTo(START.toEpochMilli());
  }

  @Test
  void the_clock_is_left_behind_only_by_more_than_2048_in_a_millisecond() {
    TaskIds ids = ids(3);
    for (int i = 0; i < 2_048; i++) {
      assertThat(ids.next().value().getMostSignificantBits() >>> 16)
          .isEqualTo(START.toEpochMilli());
    }
  }

  @Test
  void nodes_make_different_ones_in_the_same_millisecond() {
    TaskIds one = ids(4);
    TaskIds other = ids(5);
    List<TaskId> made = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      made.add(one.next());
      made.add(other.next());
    }

    assertThat(made).doesNotHaveDuplicates();
  }
}
