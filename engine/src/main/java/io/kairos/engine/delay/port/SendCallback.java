package io.kairos.engine.delay.port;

/** Called exactly once per send, on any thread, quickly: it must not block or throw. */
@FunctionalInterface
public interface SendCallback {
  void completed(SendResult result);
}
