package io.kairos.engine.trace;

import io.kairos.domain.delay.DelayedMessage;

/**
 * Listener to what a node does with delayed messages, of which those with a sampled {@code
 * traceparent} header get spans. Called on the thread of a step or of a send's completion; must not
 * block.
 */
public interface MessageSpans {
  /** Wants nothing. */
  MessageSpans NONE = new MessageSpans() {};

  /** False when no spans are wanted; then nothing else is called. */
  default boolean isOn() {
    return false;
  }

  /**
   * A message is durable.
   *
   * @param during the store's call
   */
  default void takenIn(DelayedMessage message, SpanPeriod during) {}

  /**
   * The broker has acknowledged a message.
   *
   * @param during from the send to the acknowledgement
   */
  default void fired(DelayedMessage message, SpanPeriod during) {}
}
