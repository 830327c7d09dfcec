package io.kairos.engine.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordOutboxTest {
  private int waits;

  @Test
  void an_interrupted_thread_does_not_wait_for_answers() {
    RecordOutbox outbox =
        new RecordOutbox(new Silent(), new CountingWakeup(), () -> waits * 1_000_000L);
    OutgoingRecord record = new OutgoingRecord(new TopicName("out"), 0, null, null, new byte[0]);

    Thread.currentThread().interrupt();
    List<SendResult> results = outbox.publishAll(List.of(record), Duration.ofSeconds(4));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(results).singleElement().isInstanceOf(SendResult.Failed.class);
    assertThat(waits).isZero();
  }

  /** Never answers. */
  private static final class Silent implements Publisher {
    @Override
    public int partitions(MessageOutput output) {
      return 1;
    }

    @Override
    public int partitionFor(byte[] key, int partitions) {
      return 0;
    }

    @Override
    public void send(OutgoingRecord outgoing, SendCallback callback) {}
  }

  private final class CountingWakeup implements Wakeup {
    @Override
    public void signal() {}

    @Override
    public void await(Duration atMost) {
      waits++;
    }
  }
}
