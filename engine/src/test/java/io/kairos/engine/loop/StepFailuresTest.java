package io.kairos.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the log says is asked as what is news: the log itself has one line for each. */
class StepFailuresTest {
  private final RuntimeException away = new UnsupportedOperationException("away");

  private long nanos;
  private final StepFailures failures = new StepFailures(() -> nanos);

  @Test
  void many_steps_that_fail_alike_and_again_are_one_line() {
    assertThat(failures.joins("claim", away)).isEqualTo("claim");
    assertThat(failures.joins("claim", away)).isNull();
    assertThat(failures.joins("settle", away)).isNull();
    assertThat(failures.leaves("claim")).isEmpty();

    assertThat(failures.leaves("settle"))
        .extracting(StepFailures.Ended::steps)
        .containsExactly("claim, settle");
    assertThat(failures.leaves("settle")).isEmpty();
  }

  @Test
  void steps_that_fail_much_later_and_failures_of_another_kind_are_news() {
    failures.joins("claim", away);
    nanos += Duration.ofSeconds(11).toNanos();

    assertThat(failures.joins("settle", away)).isEqualTo("claim, settle");
    assertThat(failures.joins("intake", new ArithmeticException("wrong"))).isEqualTo("intake");
  }

  @Test
  void the_next_outage_is_news_again() {
    failures.joins("claim", away);
    failures.leaves("claim");

    assertThat(failures.joins("claim", away)).isEqualTo("claim");
  }
}
