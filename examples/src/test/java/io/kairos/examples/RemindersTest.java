package io.kairos.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.TaskRequest;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.junit.KairosExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RemindersTest {
  @RegisterExtension static final KairosExtension KAIROS = new KairosExtension();

  @Test
  void a_customer_is_reminded_after_a_day_and_not_before() {
    List<String> reminded = new CopyOnWriteArrayList<>();
    try (Worker worker = Worker.connect(KAIROS.address())) {
      worker.handle("remind", PayloadCodec.utf8(), (customer, context) -> reminded.add(customer));
      worker.start();
      KAIROS
          .client()
          .schedule(TaskRequest.to("remind").payload("ada").delay(Duration.ofDays(1)).build());

      KAIROS.advance(Duration.ofHours(23));
      assertThat(reminded).isEmpty();

      KAIROS.advance(Duration.ofHours(1));
      assertThat(reminded).containsExactly("ada");
    }
  }
}
