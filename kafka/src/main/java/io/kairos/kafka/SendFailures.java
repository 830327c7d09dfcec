package io.kairos.kafka;

import io.kairos.engine.delay.port.SendResult;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Maps errors of the producer to results of a send. */
final class SendFailures {
  private SendFailures() {}

  /**
   * Returns Refused when the broker has not written the message and will refuse it again. All other
   * errors, including missing rights and a missing topic, may be temporary, or the message may have
   * been written.
   */
  static SendResult resultOf(Exception error) {
    if (error instanceof BufferExhaustedException) {
      return new SendResult.NoRoom(say(error)); // of all partitions together: says nothing of one
    }
    boolean forGood =
        switch (error) {
          case RecordTooLargeException _,
              RecordBatchTooLargeException _,
              InvalidTopicException _,
              InvalidRecordException _, // such as a record without key for a compacted topic
              UnsupportedForMessageFormatException _,
              SerializationException _ ->
              true;
          default -> false;
        };
    return forGood ? new SendResult.Refused(say(error)) : new SendResult.Failed(say(error));
  }

  /**
   * True when the producer will fail every later send too. False for an out-of-order sequence: an
   * idempotent producer goes on with a new epoch by itself, and order is not guaranteed.
   */
  static boolean leavesNoWayOn(Exception error) {
    return switch (error) {
      case ProducerFencedException _,
          InvalidProducerEpochException _,
          InvalidPidMappingException _,
          ClusterAuthorizationException _,
          AuthenticationException _,
          UnsupportedVersionException _ ->
          true;
      default -> false;
    };
  }

  /** Kafka's messages name topics, partitions, sizes and settings, never payload. */
  static String say(Exception error) {
    String kind = error.getClass().getSimpleName();
    return error.getMessage() == null ? kind : kind + ": " + error.getMessage();
  }
}
