package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.delay.port.SendResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class ProducerSlotTest {
  private final List<MockProducer<byte[], byte[]>> made = new ArrayList<>();
  private final Deque<Runnable> background = new ArrayDeque<>();
  private final List<SendResult> results = new ArrayList<>();
  private long now;
  private boolean cannotBeMade;

  private final ProducerSlot slot =
      new ProducerSlot(this::make, Duration.ofSeconds(1), () -> now, background::add);

  @Test
  void a_producer_that_calls_back_with_a_fatal_error_is_replaced() {
    pass(Duration.ofSeconds(2));
    send();
    made.getFirst().errorNext(new InvalidProducerEpochException("old"));
    assertThat(results).singleElement().isInstanceOf(SendResult.Failed.class);

    runBackground();

    assertThat(made).hasSize(2);
    assertThat(made.getFirst().closed()).isTrue();
    send();
    made.getLast().completeNext();
    assertThat(results.getLast()).isEqualTo(SendResult.Acknowledged.INSTANCE);
  }

  @Test
  void a_producer_that_throws_in_a_fatal_state_is_replaced() {
    pass(Duration.ofSeconds(2));
    made.getFirst().sendException =
        new KafkaException("in an error state", new ProducerFencedException("fenced"));

    send();
    runBackground();

    assertThat(results).singleElement().isInstanceOf(SendResult.Failed.class);
    assertThat(made).hasSize(2);
  }

  @Test
  void an_error_that_passes_replaces_nothing() {
    pass(Duration.ofSeconds(2));
    send();
    made.getFirst().errorNext(new TimeoutException("late"));

    assertThat(background).isEmpty();
    assertThat(results).singleElement().isInstanceOf(SendResult.Failed.class);
  }

  @Test
  void replacements_are_a_second_apart_and_one_at_a_time() {
    for (int i = 0; i < 5; i++) {
      send();
      made.getFirst().errorNext(new InvalidProducerEpochException("old"));
    }
    assertThat(background).isEmpty();

    pass(Duration.ofSeconds(1));
    for (int i = 0; i < 5; i++) {
      send();
      made.getFirst().errorNext(new InvalidProducerEpochException("old"));
    }
    assertThat(background).hasSize(1);
    assertThat(results).hasSize(10);
  }

  @Test
  void late_errors_of_a_replaced_producer_do_not_touch_its_successor() {
    pass(Duration.ofSeconds(2));
    send();
    send();
    made.getFirst().errorNext(new InvalidProducerEpochException("old"));
    Runnable replacement = background.remove();
    replacement.run();
    pass(Duration.ofSeconds(2));

    made.getFirst().errorNext(new InvalidProducerEpochException("old"));

    assertThat(background).isEmpty();
    assertThat(results).hasSize(2);
  }

  @Test
  void when_no_other_can_be_made_a_later_send_tries_again() {
    pass(Duration.ofSeconds(2));
    made.getFirst().sendException = new KafkaException("in an error state");
    cannotBeMade = true;
    send();
    runBackground();
    assertThat(made.getFirst().closed()).isFalse();

    cannotBeMade = false;
    pass(Duration.ofSeconds(1));
    send();
    runBackground();

    assertThat(made).hasSize(2);
    assertThat(made.getFirst().closed()).isTrue();
  }

  @Test
  void a_successor_that_comes_after_the_close_is_closed_itself() {
    pass(Duration.ofSeconds(2));
    made.getFirst().sendException = new KafkaException("in an error state");
    send();

    slot.close();
    runBackground();

    assertThat(made).hasSize(2).allMatch(MockProducer::closed);
    send();
    assertThat(results).hasSize(2).allMatch(SendResult.Failed.class::isInstance);
  }

  private MockProducer<byte[], byte[]> make(int number) {
    if (cannotBeMade) {
      throw new KafkaException("no resolvable bootstrap servers");
    }
    assertThat(number).isGreaterThanOrEqualTo(made.size());
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    made.add(producer);
    return producer;
  }

  private void send() {
    slot.send(new ProducerRecord<>("topic", new byte[0]), results::add);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private void runBackground() {
    while (!background.isEmpty()) {
      background.remove().run();
    }
  }
}
