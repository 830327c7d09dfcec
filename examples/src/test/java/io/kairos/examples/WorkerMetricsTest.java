package io.kairos.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.TaskRequest;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.worker.Worker;
import io.kairos.junit.KairosExtension;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WorkerMetricsTest {
  @RegisterExtension static final KairosExtension KAIROS = new KairosExtension();

  @Test
  void a_worker_is_measured_by_handler_and_by_how_attempts_end() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    KAIROS
        .client()
        .schedule(
            List.of(
                TaskRequest.to("measured").payload("good").build(),
                TaskRequest.to("measured")
                    .payload("bad")
                    .retryPolicy(RetryPolicy.attempts(1))
                    .build()));

    try (Worker worker =
        Worker.builder(KAIROS.address()).listener(new WorkerMetrics(meters)).build()) {
      worker.handle("measured", PayloadCodec.utf8(), (payload, context) -> check(payload));
      worker.start();
      KAIROS.awaitQuiescence();
    }

    assertThat(meters.get("kairos.worker.claimed").counter().count()).isEqualTo(2);
    assertThat(attempts(meters, "succeeded")).isEqualTo(1);
    assertThat(attempts(meters, "fatal")).isEqualTo(1);
    assertThat(meters.find("kairos.worker.lost").counter()).isNull();
  }

  private static void check(String payload) {
    if (payload.equals("bad")) {
      throw new FatalFailure("it is bad");
    }
  }

  private static long attempts(SimpleMeterRegistry meters, String ending) {
    return meters
        .get("kairos.worker.attempts")
        .tag("handler", "measured")
        .tag("ending", ending)
        .timer()
        .count();
  }
}
