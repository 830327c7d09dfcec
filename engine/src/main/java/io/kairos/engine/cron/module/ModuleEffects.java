package io.kairos.engine.cron.module;

import io.kairos.domain.pool.PushRequest;
import java.time.Duration;

/**
 * Effects of an action on the outside: at most one effect in one run. An effect is decided when the
 * action ends without throwing, waits in the replicated state until it is done, and is done once
 * however many replicas ask. Every method throws {@link IllegalStateException} if the run has an
 * effect already, too many effects wait, or the tick has no agreed time. Every method throws {@link
 * IllegalArgumentException} for an impossible effect, or one of more than 4,000 bytes in all.
 */
public interface ModuleEffects {
  /**
   * Enqueues a task in Kairos, due at the fire time.
   *
   * @param key ordering key; empty for none
   */
  void enqueueTask(String handler, byte[] payload, String key);

  /**
   * Sends a message to a Kafka topic.
   *
   * @param key empty for none
   * @param delay from the fire time, whole milliseconds from one minute to 3,650 days; a repeated
   *     request must find the message still waiting
   */
  void postMessage(String topic, byte[] key, byte[] value, Duration delay);

  /** Sends an HTTP POST to a URL, once more replicas want it than may fail. */
  void push(String url, String contentType, byte[] body);

  /**
   * Enqueues a task for a pool in Kairos, due at the fire time: a node signs the request and sends
   * it to an endpoint of the pool.
   *
   * @param key ordering key; empty for none
   */
  void pushToPool(String pool, PushRequest request, String key);
}
