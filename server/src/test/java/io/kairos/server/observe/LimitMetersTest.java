package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.port.operator.KeyLimitUse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LimitMeters meters = new LimitMeters(registry);

  private static KeyLimitUse use(String pattern, TaskQueueLimit limit, long waiting) {
    return new KeyLimitUse(new LimitPattern(pattern), limit, 3, waiting, 2);
  }

  private double gauge(String name, String limit) {
    return registry.get(name).tag("limit", limit).gauge().value();
  }

  @Test
  void the_use_of_each_limit_is_shown_and_a_rate_alone_has_no_most_running() {
    meters.turn(
        List.of(
            use("tenant:*", new TaskQueueLimit(5, null, null), 7),
            use("api", new TaskQueueLimit(null, 2.0, null), 0)));

    assertThat(gauge("kairos.limit.max.running", "tenant:*")).isEqualTo(5);
    assertThat(gauge("kairos.limit.running", "tenant:*")).isEqualTo(3);
    assertThat(gauge("kairos.limit.waiting", "tenant:*")).isEqualTo(7);
    assertThat(gauge("kairos.limit.names", "api")).isEqualTo(2);
    assertThat(registry.find("kairos.limit.max.running").tag("limit", "api").gauge()).isNull();
  }

  @Test
  void limits_for_which_most_wait_are_shown_within_the_bound() {
    List<KeyLimitUse> uses = new ArrayList<>();
    for (int i = 0; i < LimitMeters.MOST + 7; i++) {
      uses.add(use("name-" + i, new TaskQueueLimit(1, null, null), i));
    }

    meters.turn(uses);

    assertThat(registry.find("kairos.limit.waiting").gauges()).hasSize(LimitMeters.MOST);
    assertThat(gauge("kairos.limit.waiting", "name-" + (LimitMeters.MOST + 6)))
        .isEqualTo(LimitMeters.MOST + 6);
  }
}
