package io.kairos.cli.text;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.kairos.api.v1.Schedule;
import io.kairos.client.ScheduleSpec;

/** Reads the messages of the API that the client has serialized, to show them as they are. */
public final class ApiMessages {
  private ApiMessages() {}

  /** Returns the message of a schedule. */
  public static Schedule of(ScheduleSpec spec) {
    return read(Schedule.getDefaultInstance(), spec.message());
  }

  /**
   * Returns a message of a type.
   *
   * @param type any message of it
   */
  @SuppressWarnings("unchecked") // a parser makes messages of its type
  public static <M extends Message> M read(M type, byte[] message) {
    try {
      return (M) type.getParserForType().parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the client has serialized it", e);
    }
  }
}
