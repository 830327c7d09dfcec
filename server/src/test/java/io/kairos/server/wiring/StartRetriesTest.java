package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.StoreUnavailable;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A node and its store that are started together (CH-B12); waiting moves the clock. */
class StartRetriesTest {
  private static final Predicate<RuntimeException> IS_AWAY = StoreUnavailable.class::isInstance;

  private long nanos;
  private int attempts;

  private final StartRetries patience =
      new StartRetries(
          Duration.ofSeconds(10),
          () -> nanos,
          new Wakeup() {
            @Override
            public void signal() {}

            @Override
            public void await(Duration atMost) {
              nanos += atMost.toNanos();
            }
          });

  @Test
  void chb12_a_store_that_is_away_at_the_start_is_waited_for() {
    assertThat(patience.wait("the store", () -> openFromAttempt(4), IS_AWAY)).isEqualTo("open");

    assertThat(Duration.ofNanos(nanos)).isEqualTo(Duration.ofMillis(1_500));
  }

  @Test
  void chb12_when_patience_ends_the_last_failure_is_told() {
    assertThatThrownBy(() -> patience.wait("the store", () -> openFromAttempt(1_000), IS_AWAY))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessage("attempt 21");

    assertThat(Duration.ofNanos(nanos)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void what_waiting_cannot_mend_is_told_at_once() {
    assertThatThrownBy(() -> patience.wait("the store", () -> openFromAttempt(2), _ -> false))
        .hasMessage("attempt 1");

    assertThat(nanos).isZero();
  }

  private String openFromAttempt(int number) {
    attempts++;
    if (attempts < number) {
      throw new StoreUnavailable("attempt " + attempts);
    }
    return "open";
  }
}
