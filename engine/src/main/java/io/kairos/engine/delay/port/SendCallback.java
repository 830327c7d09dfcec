package io.kairos.engine.delay.port;

/**
 * Receives the result of a send. Called exactly once per send, on any thread; must not block or
 * throw.
 */
@FunctionalInterface
public interface SendCallback {
  void completed(SendResult result);
}
