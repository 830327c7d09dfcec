package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.port.MessageCounts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DelayGaugesTest {
  private static final long SECOND = 1_000_000;
  private static final long NONE = Long.MAX_VALUE;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private Instant now = Instant.ofEpochSecond(1_000);
  private MessageCounts stored = new MessageCounts(0, OptionalLong.empty(), 0);
  private DelayNode.Status status = holding(0, NONE);
  private final StoreView store = new StoreView(() -> stored, () -> now);

  @BeforeEach
  void register() {
    DelayGauges.register(registry, () -> status, () -> true, store, () -> now);
  }

  private static DelayNode.Status holding(int messages, long oldestDueMicros) {
    return new DelayNode.Status(true, messages, 0, 0, 0, 0, oldestDueMicros, Duration.ZERO);
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  @Test
  void an_hour_in_a_dead_partition_shows_as_an_hour_overdue() {
    status = holding(1, 1_000 * SECOND);
    now = now.plusSeconds(3_600);

    assertThat(gauge("kairos.delay.oldest.overdue")).isEqualTo(3_600);
  }

  @Test
  void the_oldest_of_store_and_memory_counts() {
    stored = new MessageCounts(2, OptionalLong.of(900 * SECOND), 0);
    status = holding(1, 950 * SECOND);
    store.ask();

    assertThat(gauge("kairos.delay.oldest.overdue")).isEqualTo(100);
  }

  @Test
  void what_came_due_since_the_last_look_at_the_store_is_not_overdue() {
    stored = new MessageCounts(1, OptionalLong.of(1_001 * SECOND), 0);
    store.ask();
    now = now.plusSeconds(4);

    assertThat(gauge("kairos.delay.oldest.overdue")).isZero();
  }

  @Test
  void waiting_is_what_is_stored_and_not_held() {
    stored = new MessageCounts(100, OptionalLong.empty(), 3);
    assertThat(gauge("kairos.delay.waiting")).isNaN();

    store.ask();
    status = holding(30, NONE);
    assertThat(gauge("kairos.delay.waiting")).isEqualTo(70);
    assertThat(gauge("kairos.delay.ready")).isEqualTo(30);
    assertThat(gauge("kairos.delay.amendments.pending")).isEqualTo(3);

    status = holding(130, NONE);
    assertThat(gauge("kairos.delay.waiting")).isZero();
  }
}
