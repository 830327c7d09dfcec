package io.kairos.edge.rest;

import static io.kairos.edge.refusal.InvalidField.require;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import io.kairos.api.v1.BackfillScheduleRequest;
import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.TriggerScheduleRequest;
import java.util.Set;

/**
 * The header {@value #NAME}, by which a call that is repeated counts once, as IETF's draft of it
 * says. Methods that can be made idempotent have a field for it.
 */
final class IdempotencyKeyHeader {
  static final String NAME = "idempotency-key";

  /** A caller that repeats its call after so long does not mean the first one any more. */
  private static final Duration WINDOW = Duration.newBuilder().setSeconds(24 * 60 * 60).build();

  private static final Set<Descriptor> REQUESTS =
      Set.of(
          ScheduleTaskRequest.getDescriptor(),
          TriggerScheduleRequest.getDescriptor(),
          BackfillScheduleRequest.getDescriptor());

  private IdempotencyKeyHeader() {}

  /** True for requests that have a field for the key. */
  static boolean isFor(Descriptor request) {
    return REQUESTS.contains(request);
  }

  /**
   * Sets the field. Throws {@link io.kairos.edge.refusal.InvalidField} when the request has none: a
   * caller that relies on the header would do something twice.
   *
   * @param value the header's value, with or without quotes
   */
  static void into(Message.Builder message, String value) {
    String key = value.replaceFirst("^\"(.*)\"$", "$1");
    switch (message) {
      case ScheduleTaskRequest.Builder request -> {
        Idempotency.Builder idempotency = request.getIdempotencyBuilder();
        idempotency.setKey(agreed(idempotency.getKey(), key));
        boolean isBare =
            !idempotency.hasDuration()
                && idempotency.getWindow() == Idempotency.Window.WINDOW_UNSPECIFIED;
        if (isBare && !request.hasTopic()) {
          idempotency.setDuration(WINDOW);
        }
      }
      case TriggerScheduleRequest.Builder request ->
          request.setRequestId(agreed(request.getRequestId(), key));
      case BackfillScheduleRequest.Builder request ->
          request.setRequestId(agreed(request.getRequestId(), key));
      default -> require(false, NAME, "cannot make this call idempotent: leave the header out");
    }
  }

  private static String agreed(String inBody, String key) {
    require(inBody.isEmpty() || inBody.equals(key), NAME, "must be equal to the key in the body");
    return key;
  }
}
