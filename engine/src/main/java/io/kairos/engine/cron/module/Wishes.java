package io.kairos.engine.cron.module;

import java.time.Duration;

/**
 * What an action may want of the outside: at most one thing in one run. It is decided when the
 * action ends without throwing, waits in the replicated state until it is done, and is done once
 * however many replicas ask. Every method throws {@link IllegalStateException} where the run has
 * wished already, too much waits, or the tick has no agreed time; and {@link
 * IllegalArgumentException} for what nobody could do, or what has more than 4,000 bytes in all.
 */
public interface Wishes {
  /**
   * A task in Kairos, due at the fire time.
   *
   * @param key which tasks it must not overtake; empty for none
   */
  void enqueueTask(String handler, byte[] payload, String key);

  /**
   * A message for a topic of Kafka.
   *
   * @param key empty for none
   * @param delay from the fire time on, whole milliseconds from one minute to 3,650 days: a replica
   *     that asks again must find it waiting
   */
  void postMessage(String topic, byte[] key, byte[] value, Duration delay);

  /** An HTTP POST to a URL, once more than may fail of the replicas want it. */
  void push(String url, String contentType, byte[] body);
}
