package io.kairos.edge.rest;

import static io.kairos.edge.refusal.InvalidField.require;
import static java.util.Objects.requireNonNull;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import io.kairos.api.v1.BackfillScheduleRequest;
import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.TriggerScheduleRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header {@value #NAME}, by which a call that is repeated counts once, as IETF's draft of it
 * says. Methods that can be made idempotent have a field for it.
 */
final class IdempotencyKeyHeader {
  static final String NAME = "idempotency-key";

  /** A caller that repeats its call after so long does not mean the first one any more. */
  private static final Duration WINDOW = Duration.newBuilder().setSeconds(24 * 60 * 60).build();

  private static final Map<Descriptor, FieldDescriptor> FIELDS =
      Map.of(
          ScheduleTaskRequest.getDescriptor(),
          field(Idempotency.getDescriptor(), Idempotency.KEY_FIELD_NUMBER),
          TriggerScheduleRequest.getDescriptor(),
          field(
              TriggerScheduleRequest.getDescriptor(),
              TriggerScheduleRequest.REQUEST_ID_FIELD_NUMBER),
          BackfillScheduleRequest.getDescriptor(),
          field(
              BackfillScheduleRequest.getDescriptor(),
              BackfillScheduleRequest.REQUEST_ID_FIELD_NUMBER));

  private IdempotencyKeyHeader() {}

  private static FieldDescriptor field(Descriptor message, int number) {
    return requireNonNull(message.findFieldByNumber(number));
  }

  /** The field that the key becomes, whose rules it follows; null for a request without one. */
  static @Nullable FieldDescriptor of(Descriptor request) {
    return FIELDS.get(request);
  }

  /**
   * Sets the field. Throws {@link io.kairos.edge.refusal.InvalidField} when the request has none,
   * or the key is empty: a caller that relies on the header would do something twice.
   *
   * @param value the header's value, with or without quotes
   */
  static void into(Message.Builder message, String value) {
    String key = value.replaceFirst("^\"(.*)\"$", "$1");
    require(!key.isBlank(), NAME, "must have at least one character");
    switch (message) {
      case ScheduleTaskRequest.Builder request -> {
        Idempotency.Builder idempotency = request.getIdempotencyBuilder();
        idempotency.setKey(agreed(idempotency.getKey(), key));
        boolean isBare =
            !idempotency.hasDuration()
                && !idempotency.hasPeriod()
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
