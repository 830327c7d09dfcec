package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.FireCause;
import io.kairos.domain.schedule.fire.FireDecision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.engine.schedule.port.NextTrigger;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScheduleMetricsTest {
  private static final Instant DUE = Instant.parse("2030-01-01T00:00:00Z");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ScheduleMetrics metrics = new ScheduleMetrics(registry);

  private static LedgerEntry entry(@Nullable SkipCause reason, FireCause cause, Duration late) {
    return new LedgerEntry(
        DUE,
        "",
        DUE,
        1L,
        reason == null ? FireDecision.FIRED : FireDecision.SKIPPED,
        reason,
        cause,
        DUE.plus(late),
        null,
        null);
  }

  private double counted(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  @Test
  void decisions_are_counted_by_cause_and_by_reason_and_those_that_are_late() {
    metrics.decided(
        List.of(
            entry(null, FireCause.SCHEDULE, Duration.ofMillis(10)),
            entry(null, FireCause.SCHEDULE, Duration.ofSeconds(3)),
            entry(null, FireCause.BACKFILL, Duration.ofDays(30)),
            entry(SkipCause.OVERLAP, FireCause.SCHEDULE, Duration.ZERO),
            entry(SkipCause.CATCH_UP_NONE, FireCause.SCHEDULE, Duration.ofHours(1))));

    assertThat(counted("kairos.schedule.fired", "cause", "schedule")).isEqualTo(2);
    assertThat(counted("kairos.schedule.fired", "cause", "backfill")).isEqualTo(1);
    assertThat(counted("kairos.schedule.skipped", "reason", "overlap")).isEqualTo(1);
    assertThat(counted("kairos.schedule.skipped", "reason", "catch_up_none")).isEqualTo(1);
    assertThat(counted("kairos.schedule.late")).isEqualTo(1);
    assertThat(registry.get("kairos.schedule.lateness").summary().count()).isEqualTo(2);
  }

  @Test
  void it_is_shown_how_long_it_is_until_the_next_schedule() {
    metrics.looked(new NextTrigger(DUE, DUE.plusMillis(1_500)));
    assertThat(registry.get("kairos.schedule.next").gauge().value()).isEqualTo(1.5);
    metrics.looked(new NextTrigger(DUE, DUE.minusSeconds(3)));
    assertThat(registry.get("kairos.schedule.next").gauge().value()).isEqualTo(-3);

    metrics.looked(new NextTrigger(DUE, null));
    assertThat(registry.get("kairos.schedule.next").gauge().value()).isNaN();
  }

  @Test
  void ph18_a_schedule_that_cannot_be_decided_is_counted() {
    metrics.failed(new ScheduleName("broken"), new IllegalStateException("for the test"));

    assertThat(counted("kairos.schedule.failed")).isEqualTo(1);
  }
}
