package io.kairos.domain.schedule.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.definition.ScheduleId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExecutionIdsTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final ScheduleId ONE = new ScheduleId(new UUID(1, 1));
  private static final ScheduleId OTHER = new ScheduleId(new UUID(1, 2));

  @Test // PH-32
  void ids_rise_with_the_fire_time_whatever_the_schedule() {
    List<String> ids =
        IntStream.range(0, 1_000)
            .mapToObj(i ->
                ExecutionIds.of(i % 3 == 0 ? ONE : OTHER, START.plusMillis(i * 7L), "").toString())
            .toList();

    assertThat(ids).isSorted().doesNotHaveDuplicates();
  }

  @Test // PH-32
  void an_id_is_that_of_its_schedule_fire_time_and_request_on_every_node() {
    assertThat(ExecutionIds.of(ONE, START, ""))
        .isEqualTo(
            ExecutionIds.of(new ScheduleId(new UUID(1, 1)), Instant.parse(START.toString()), ""))
        .isNotEqualTo(ExecutionIds.of(OTHER, START, ""))
        .isNotEqualTo(ExecutionIds.of(ONE, START.plusNanos(1_000), ""))
        .isNotEqualTo(ExecutionIds.of(ONE, START, "again"));
  }
}
