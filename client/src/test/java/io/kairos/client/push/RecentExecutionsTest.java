package io.kairos.client.push;

import static io.kairos.client.push.RecentExecutions.State.DONE;
import static io.kairos.client.push.RecentExecutions.State.FIRST;
import static io.kairos.client.push.RecentExecutions.State.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentExecutionsTest {
  private final RecentExecutions recent = new RecentExecutions(2);

  @Test
  void ph33_a_repeat_is_known() {
    assertThat(recent.begin("a")).isEqualTo(FIRST);
    assertThat(recent.begin("a")).isEqualTo(RUNNING);
    recent.done("a");

    assertThat(recent.begin("a")).isEqualTo(DONE);
  }

  @Test
  void what_has_failed_is_performed_again() {
    recent.begin("a");
    recent.failed("a");

    assertThat(recent.begin("a")).isEqualTo(FIRST);
  }

  @Test
  void the_latest_are_remembered_and_what_runs_is_never_forgotten() {
    recent.begin("runs");
    for (String id : new String[] {"a", "b", "c"}) {
      recent.begin(id);
      recent.done(id);
    }

    assertThat(recent.begin("runs")).isEqualTo(RUNNING);
    assertThat(recent.begin("c")).isEqualTo(DONE);
    assertThat(recent.begin("a")).isEqualTo(FIRST);
  }
}
