package io.kairos.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadPlanTest {
  private static final LoadPayload PAYLOAD = new LoadPayload(7, 64);

  @Test
  void the_schedule_does_not_depend_on_when_it_is_looked_at() {
    LoadPlan plan = plan(1_000, 2_000);

    assertThat(plan.dueToBeSent(-1)).isZero();
    assertThat(plan.dueToBeSent(0)).isEqualTo(1);
    assertThat(plan.dueToBeSent(1_000_000)).isEqualTo(1_001);
    assertThat(plan.dueToBeSent(3_600_000_000L)).isEqualTo(2_000);
    assertThat(plan.scheduledMicros(1_500)).isEqualTo(1_500_000);
  }

  @Test
  void a_flood_is_to_be_sent_at_once() {
    LoadPlan plan = plan(LoadPlan.FLOOD, 2_000);

    assertThat(plan.dueToBeSent(0)).isEqualTo(2_000);
    assertThat(plan.scheduledMicros(1_999)).isZero();
  }

  @Test
  void due_times_count_from_the_schedule_and_are_whole_milliseconds() {
    LoadDueTimes dueTimes = LoadDueTimes.after(Duration.ofSeconds(3), Duration.ofSeconds(10), 1);

    for (int i = 0; i < 1_000; i++) {
      long due = dueTimes.dueMicros(i, 123_456_789);
      assertThat(due % 1_000).isZero();
      assertThat(due - 123_456_789).isBetween(3_000_000L, 10_001_000L);
    }
  }

  @Test
  void a_value_tells_run_sequence_and_due_time_and_whether_it_was_changed() {
    byte[] value = PAYLOAD.value(42, 4_711_000);

    assertThat(value).hasSize(64);
    assertThat(PAYLOAD.isOurs(value)).isTrue();
    assertThat(new LoadPayload(8, 64).isOurs(value)).isFalse();
    assertThat(LoadPayload.sequence(value)).isEqualTo(42);
    assertThat(LoadPayload.dueMicros(value)).isEqualTo(4_711_000);
    assertThat(PAYLOAD.isIntact(value)).isTrue();
    value[63]++;
    assertThat(PAYLOAD.isIntact(value)).isFalse();
  }

  @Test
  void a_value_too_short_to_be_told_apart_is_refused() {
    assertThatThrownBy(() -> new LoadPayload(7, 23)).hasMessageContaining("24 bytes");
  }

  private static LoadPlan plan(double perSecond, long count) {
    return new LoadPlan(count, perSecond, (_, scheduled) -> scheduled);
  }
}
