package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.delay.port.SendResult;
import java.util.List;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SendFailuresTest {
  static final List<Exception> PERMANENT =
      List.of(
          new RecordTooLargeException("1 > 0"),
          new RecordBatchTooLargeException("1 > 0"),
          new InvalidTopicException("no such name"),
          new InvalidRecordException("no key"),
          new SerializationException("no"));

  static final List<Exception> PASSING =
      List.of(
          new TimeoutException("late"),
          new NotEnoughReplicasException("1 of 2"),
          new UnknownTopicOrPartitionException("gone"),
          new TopicAuthorizationException("no right yet"),
          new OutOfOrderSequenceException("a new epoch follows"),
          new IllegalStateException("closed"),
          new KafkaException("part of a batch which had one more more invalid records"));

  static final List<Exception> LEAVING_NO_WAY_ON =
      List.of(
          new ProducerFencedException("fenced"),
          new InvalidProducerEpochException("old"),
          new ClusterAuthorizationException("no right to be idempotent"),
          new SaslAuthenticationException("wrong password"),
          new UnsupportedVersionException("old broker"));

  @ParameterizedTest
  @FieldSource("PERMANENT")
  void what_the_broker_will_refuse_again_is_refused(Exception error) {
    assertThat(SendFailures.resultOf(error))
        .isEqualTo(
            new SendResult.Refused(error.getClass().getSimpleName() + ": " + error.getMessage()));
    assertThat(SendFailures.leavesNoWayOn(error)).isFalse();
  }

  @ParameterizedTest
  @FieldSource("PASSING")
  void what_may_heal_or_may_have_been_written_has_failed(Exception error) {
    assertThat(SendFailures.resultOf(error)).isInstanceOf(SendResult.Failed.class);
    assertThat(SendFailures.leavesNoWayOn(error)).isFalse();
  }

  @Test
  void a_full_buffer_says_nothing_of_the_partition() {
    assertThat(SendFailures.resultOf(new BufferExhaustedException("full")))
        .isEqualTo(new SendResult.NoRoom("BufferExhaustedException: full"));
  }

  @ParameterizedTest
  @FieldSource("LEAVING_NO_WAY_ON")
  void what_ends_the_producer_has_failed_and_may_heal_with_another(Exception error) {
    assertThat(SendFailures.resultOf(error)).isInstanceOf(SendResult.Failed.class);
    assertThat(SendFailures.leavesNoWayOn(error)).isTrue();
  }
}
