package io.kairos.engine.delay.port;

/** How a send ended. */
public sealed interface SendResult {
  /** All in-sync replicas have it. */
  record Acknowledged() implements SendResult {
    public static final Acknowledged INSTANCE = new Acknowledged();
  }

  /**
   * No acknowledgement came in time, or none can come now: it may or may not have been written.
   * Worth another try.
   */
  record Failed(String why) implements SendResult {}

  /**
   * The publisher has no room for it now. It was not sent, and nothing is known of its partition.
   */
  record NoRoom(String why) implements SendResult {}

  /**
   * The broker will never take this record, for example because it is too large. It was not
   * written.
   */
  record Refused(String why) implements SendResult {}
}
