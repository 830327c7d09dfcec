package io.kairos.client;

import com.google.protobuf.Timestamp;
import io.kairos.api.v1.CancelResponse;
import io.kairos.api.v1.PollResponse;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Between the wire's types and ours. */
final class Protos {
  private Protos() {}

  static Timestamp timestamp(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }

  static Instant instant(Timestamp timestamp) {
    return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
  }

  static com.google.protobuf.Duration duration(Duration duration) {
    long seconds = duration.getSeconds();
    int nanos = duration.getNano();
    if (seconds < 0 && nanos > 0) { // protobuf wants both of one sign
      seconds++;
      nanos -= 1_000_000_000;
    }
    return com.google.protobuf.Duration.newBuilder().setSeconds(seconds).setNanos(nanos).build();
  }

  static io.kairos.api.v1.RetryPolicy retryPolicy(RetryPolicy policy) {
    io.kairos.api.v1.RetryPolicy.Builder wire = io.kairos.api.v1.RetryPolicy.newBuilder();
    Integer maxAttempts = policy.maxAttempts();
    if (maxAttempts != null) {
      wire.setMaxAttempts(maxAttempts);
    }
    Duration initial = policy.initialBackoff();
    if (initial != null) {
      wire.setInitialBackoff(duration(initial));
    }
    Double factor = policy.factor();
    if (factor != null) {
      wire.setFactor(factor);
    }
    Duration max = policy.maxBackoff();
    if (max != null) {
      wire.setMaxBackoff(duration(max));
    }
    return wire.build();
  }

  static RetryPolicy retryPolicy(io.kairos.api.v1.RetryPolicy wire) {
    return new RetryPolicy(
        wire.getMaxAttempts() == 0 ? null : wire.getMaxAttempts(),
        wire.hasInitialBackoff() ? duration(wire.getInitialBackoff()) : null,
        wire.getFactor() == 0 ? null : wire.getFactor(),
        wire.hasMaxBackoff() ? duration(wire.getMaxBackoff()) : null);
  }

  static Duration duration(com.google.protobuf.Duration wire) {
    return Duration.ofSeconds(wire.getSeconds(), wire.getNanos());
  }

  static @Nullable Instant orNull(boolean present, Timestamp timestamp) {
    return present ? instant(timestamp) : null;
  }

  static TaskState state(io.kairos.api.v1.Task.State wire) {
    return switch (wire) {
      case NEW -> TaskState.NEW;
      case ENQUEUED -> TaskState.ENQUEUED;
      case PROCESSING -> TaskState.PROCESSING;
      case RETRIABLE_FAILURE -> TaskState.RETRIABLE_FAILURE;
      case BLOCKED -> TaskState.BLOCKED;
      case PAUSED -> TaskState.PAUSED;
      case SUCCEEDED -> TaskState.SUCCEEDED;
      case FAILED -> TaskState.FAILED;
      case CANCELLED -> TaskState.CANCELLED;
      case DEAD -> TaskState.DEAD;
      case STATE_UNSPECIFIED, UNRECOGNIZED -> TaskState.OTHER;
    };
  }

  static io.kairos.api.v1.Task.State state(TaskState state) {
    return state == TaskState.OTHER
        ? io.kairos.api.v1.Task.State.STATE_UNSPECIFIED
        : io.kairos.api.v1.Task.State.valueOf(state.name());
  }

  static PolledStep polled(PollResponse.Step wire) {
    return new PolledStep(
        wire.getName(), outcome(wire.getOutcome()), wire.getRounds(), wire.getDone());
  }

  private static PolledStep.Outcome outcome(PollResponse.Step.Outcome wire) {
    return switch (wire) {
      case AT_REST -> PolledStep.Outcome.AT_REST;
      case UNFINISHED -> PolledStep.Outcome.UNFINISHED;
      case FAILED -> PolledStep.Outcome.FAILED;
      case OUTCOME_UNSPECIFIED, UNRECOGNIZED -> PolledStep.Outcome.OTHER;
    };
  }

  static CancelOutcome outcome(CancelResponse.Outcome wire) {
    return switch (wire) {
      case CANCELLED -> CancelOutcome.CANCELLED;
      case REQUESTED -> CancelOutcome.REQUESTED;
      case TOO_LATE -> CancelOutcome.TOO_LATE;
      case OUTCOME_UNSPECIFIED, UNRECOGNIZED -> CancelOutcome.OTHER;
    };
  }
}
