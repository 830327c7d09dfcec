package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RefusedWritesTest {
  private long nanos;
  private final RefusedWrites writes = new RefusedWrites(() -> nanos);

  @Test
  void each_kind_that_the_store_refuses_is_an_obstacle_until_it_is_accepted_again() {
    writes.refused("tasks", "No space left on device");
    writes.refused("messages of route orders", "No space left on device");
    assertThat(writes.obstacles())
        .containsExactly(
            "no messages of route orders are accepted: No space left on device",
            "no tasks are accepted: No space left on device");

    writes.accepted("tasks");

    assertThat(writes.obstacles()).singleElement().asString().contains("route orders");
  }

  @Test
  void a_refusal_that_nobody_has_seen_again_is_forgotten_so_that_callers_come_back() {
    writes.refused("tasks", "No space left on device");
    nanos += Duration.ofSeconds(9).toNanos();
    assertThat(writes.obstacles()).hasSize(1);

    nanos += Duration.ofSeconds(1).toNanos();

    assertThat(writes.obstacles()).isEmpty();
  }
}
