package io.kairos.domain.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.pool.EndpointState.Ejected;
import io.kairos.domain.pool.EndpointState.Probing;
import io.kairos.domain.pool.EndpointState.Serving;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EndpointStateTest {
  private static final EndpointEjection RULES =
      new EndpointEjection(3, Duration.ofSeconds(10), Duration.ofSeconds(30));
  private static final long SECOND = 1_000_000_000L;

  private static EndpointState afterFailures(int count) {
    EndpointState state = Serving.NEW;
    for (int i = 0; i < count; i++) {
      state = state.failed(0, RULES);
    }
    return state;
  }

  @Test
  void ph29_a_few_failures_in_a_row_leave_it_out() {
    assertThat(afterFailures(2).share(0, RULES)).isEqualTo(1);
    assertThat(afterFailures(3)).isEqualTo(new Ejected(10 * SECOND, RULES.pause()));
    assertThat(afterFailures(3).share(0, RULES)).isZero();
  }

  @Test
  void ph29_a_success_between_them_forgives() {
    EndpointState state = afterFailures(2).succeeded(0).failed(0, RULES).failed(0, RULES);

    assertThat(state.share(0, RULES)).isEqualTo(1);
  }

  @Test
  void r27_after_the_pause_one_request_probes_it() {
    EndpointState out = afterFailures(3);

    assertThat(out.share(10 * SECOND - 1, RULES)).isZero();
    assertThat(out.chosen(10 * SECOND - 1)).isEqualTo(out);
    assertThat(out.share(10 * SECOND, RULES)).isPositive();
    EndpointState probing = out.chosen(10 * SECOND);
    assertThat(probing).isEqualTo(new Probing(RULES.pause()));
    assertThat(probing.share(11 * SECOND, RULES)).isZero();
  }

  @Test
  void r27_a_probe_that_fails_doubles_the_pause_up_to_eight_times() {
    EndpointState state = afterFailures(3);
    long now = 10 * SECOND;
    for (long pause : new long[] {20, 40, 80, 80}) {
      state = state.chosen(now).failed(now, RULES);
      assertThat(state).isEqualTo(new Ejected(now + pause * SECOND, Duration.ofSeconds(pause)));
      now += pause * SECOND;
    }
  }

  @Test
  void r27_one_that_returns_gets_its_share_gradually() {
    EndpointState back = afterFailures(3).chosen(10 * SECOND).succeeded(20 * SECOND);

    assertThat(back.share(20 * SECOND, RULES)).isEqualTo(0.1);
    assertThat(back.share(35 * SECOND, RULES)).isEqualTo(0.55);
    assertThat(back.share(50 * SECOND, RULES)).isEqualTo(1);
    assertThat(back.share(500 * SECOND, RULES)).isEqualTo(1);
  }

  @Test
  void answers_to_what_was_sent_before_do_not_end_a_pause() {
    EndpointState out = afterFailures(3);

    assertThat(out.succeeded(SECOND)).isEqualTo(out);
    assertThat(out.failed(SECOND, RULES)).isEqualTo(out);
  }

  @Test
  void a_probe_that_said_nothing_is_made_again() {
    EndpointState probing = afterFailures(3).chosen(10 * SECOND);

    assertThat(probing.undecided(12 * SECOND).chosen(12 * SECOND)).isEqualTo(probing);
    assertThat(Serving.NEW.undecided(0)).isEqualTo(Serving.NEW);
  }
}
