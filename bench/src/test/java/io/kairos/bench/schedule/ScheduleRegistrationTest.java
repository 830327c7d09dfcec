package io.kairos.bench.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.load.LoadPayload;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.task.queue.PoolName;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ScheduleRegistrationTest {
  private final LoadPayload payload = new LoadPayload(7, 256);

  @Test
  void a_copy_for_workers_has_its_number_in_its_payload() {
    byte[] copy = copy(ScheduleRegistration.Common.ofWorkers(OverlapPolicy.SKIP), 60_001);

    assertThat(copy).isEqualTo(payload.value(60_001, 0));
  }

  @Test
  void a_copy_for_a_pool_has_its_number_in_the_body_of_its_request() {
    ScheduleRegistration.Common common =
        ScheduleRegistration.Common.ofPool(
            new PoolName("bench"), OverlapPolicy.SKIP, RunSpread.NONE);

    PushRequest request = PushRequest.decode(copy(common, 60_001));

    assertThat(request.body()).isEqualTo(payload.value(60_001, 0));
    assertThat(request.path()).isEqualTo("/");
  }

  /** A copy of the first payload, made as the copying statement makes it. */
  private byte[] copy(ScheduleRegistration.Common common, long sequence) {
    byte[] value = payload.value(1, 0);
    byte[] whole = common.envelope().apply(value).clone();
    ByteBuffer.wrap(whole).putLong(common.sequenceAt(value), sequence);
    return whole;
  }
}
