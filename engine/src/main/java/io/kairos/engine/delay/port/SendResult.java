package io.kairos.engine.delay.port;

/** The result of a send. */
public sealed interface SendResult {
  /** All in-sync replicas have it. */
  record Acknowledged() implements SendResult {
    public static final Acknowledged INSTANCE = new Acknowledged();
  }

  /**
   * No acknowledgement came in time, or none can come now. The record may or may not have been
   * written; the send should be retried.
   */
  record Failed(String why) implements SendResult {}

  /**
   * The publisher has no room for the record now. The record was not sent, and the partition may be
   * in good order.
   */
  record NoRoom(String why) implements SendResult {}

  /**
   * The broker refuses the record for good, for example because it is too large. The record was not
   * written.
   */
  record Refused(String why) implements SendResult {}
}
