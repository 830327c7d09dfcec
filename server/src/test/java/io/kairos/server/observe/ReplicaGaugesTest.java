package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReplicaGaugesTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong overruns = new AtomicLong(1);

  @Test
  @Timeout(60)
  void a_counter_goes_on_after_a_garbage_collection() {
    ReplicaGauges gauges = new ReplicaGauges(registry, true, overruns::get, () -> 0);
    try {
      WeakReference<Object> collected = new WeakReference<>(new Object());
      while (collected.get() != null) {
        System.gc();
      }

      overruns.set(5);

      assertThat(registry.get("kairos.cron.actions.over.budget").functionCounter().count())
          .isEqualTo(5);
    } finally {
      Reference.reachabilityFence(gauges);
    }
  }

  @Test
  void replicas_without_time_have_no_gauge_of_it() {
    new ReplicaGauges(registry, false, () -> 0, () -> 0);

    assertThat(registry.find("kairos.cron.agreed.time").gauge()).isNull();
  }
}
