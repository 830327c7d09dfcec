package io.kairos.bench.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.fault.OutageLateness.Window;
import io.kairos.bench.task.ExecutionLog.Execution;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageLatenessTest {
  private static final Window CALM = new Window(0, 1_000_000);
  private static final Window AWAY = new Window(1_000_000, 2_000_000);

  private static Execution late(long dueMicros, long millis) {
    return new Execution(1, 0, dueMicros, dueMicros + millis * 1_000, 0, 0);
  }

  private static OutageLateness of(Execution... all) {
    return new OutageLateness(List.of(all), CALM);
  }

  @Test
  void what_waits_for_the_end_of_the_outage_is_late_by_it() {
    OutageLateness lateness =
        of(late(10, 30), late(1_000_000, 1_000), late(1_500_000, 500), late(1_900_000, 100));

    assertThat(lateness.late(AWAY)).isEqualTo(2);
    assertThat(lateness.latestMillis(AWAY)).isEqualTo(1_000);
    assertThat(lateness.canJudge(AWAY)).isTrue();
  }

  @Test
  void twice_the_latest_of_the_calm_time_is_allowed_and_no_more() {
    OutageLateness lateness =
        of(late(999_999, 300), late(1_000_000, 600), late(1_999_999, 601), late(2_000_000, 900));

    assertThat(lateness.latestMillis(CALM)).isEqualTo(300);
    assertThat(lateness.late(AWAY)).isOne();
  }

  @Test
  void a_quarter_of_a_second_is_late_by_nothing() {
    OutageLateness lateness = of(late(10, 2), late(1_500_000, 250), late(1_500_000, 251));

    assertThat(lateness.late(AWAY)).isOne();
  }

  @Test
  void a_calm_time_that_is_too_bad_judges_nothing() {
    assertThat(of(late(10, 250)).canJudge(AWAY)).isTrue();
    assertThat(of(late(10, 251)).canJudge(AWAY)).isFalse();
  }

  @Test
  void only_the_calm_time_before_the_outage_is_the_measure() {
    assertThat(of(late(1_500_000, 400), late(2_500_000, 900)).late(AWAY)).isOne();
  }
}
