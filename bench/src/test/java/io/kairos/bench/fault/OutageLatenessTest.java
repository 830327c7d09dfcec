package io.kairos.bench.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.fault.OutageLateness.Window;
import io.kairos.bench.task.ExecutionLog.Execution;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageLatenessTest {
  private static final Window BEFORE = new Window(0, 1_000_000);
  private static final Window AWAY = new Window(1_000_000, 2_000_000);
  private static final Window AFTER = new Window(2_000_000, 3_000_000);

  private static Execution late(long dueMicros, long millis) {
    return new Execution(1, 0, dueMicros, dueMicros + millis * 1_000, 0, 0);
  }

  private static OutageLateness of(Execution... all) {
    return new OutageLateness(List.of(all), List.of(BEFORE, AFTER));
  }

  @Test
  void what_begins_later_than_anything_in_the_calm_is_late_by_the_outage() {
    OutageLateness lateness =
        of(late(10, 300), late(1_000_000, 300), late(1_999_999, 301), late(2_000_000, 20));

    assertThat(lateness.calmMillis()).isEqualTo(300);
    assertThat(lateness.latestMillis(AWAY)).isEqualTo(301);
    assertThat(lateness.late(AWAY)).isOne();
  }

  @Test
  void a_quarter_of_a_second_is_late_by_nothing() {
    OutageLateness lateness = of(late(10, 2), late(1_500_000, 250), late(1_500_000, 251));

    assertThat(lateness.late(AWAY)).isOne();
    assertThat(lateness.late(AFTER)).isZero();
  }

  @Test
  void the_calm_after_the_outage_counts_as_well() {
    assertThat(of(late(1_500_000, 400), late(2_500_000, 500)).late(AWAY)).isZero();
  }
}
