package io.kairos.client.worker;

import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.encryption.PayloadTarget;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.HandlerInterceptor;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;

/**
 * A handler with its name, its payload codec, its options, and the code around its attempts.
 *
 * @param place where the code of the handler is, for messages
 */
record HandlerRegistration<T>(
    String name,
    String place,
    PayloadCodec<T> codec,
    Handler<? super T> handler,
    HandlerOptions options,
    HandlerInterceptor interceptor) {
  /**
   * Returns a registration for a task that this worker did not ask for; the task is retried,
   * because another worker may have the handler.
   */
  static HandlerRegistration<byte[]> missing(String name) {
    return new HandlerRegistration<>(
        name,
        "none",
        PayloadCodec.bytes(),
        (payload, context) -> {
          throw new RetryLater("this worker has no handler " + name);
        },
        HandlerOptions.DEFAULT,
        HandlerInterceptor.NONE);
  }

  /** True when the worker should ask for tasks of this handler now. */
  boolean isReady() {
    return handler.isReady(name);
  }

  void perform(byte[] payload, MessageEncryption encryption, TaskContext context) throws Exception {
    AttemptLogKeys keys = AttemptLogKeys.put(context);
    try {
      interceptor.perform(
          context,
          seen ->
              handler.handle(
                  PayloadForm.decoded(
                      codec, encryption.decrypted(PayloadTarget.handler(name), payload)),
                  seen));
    } finally {
      keys.restore();
    }
  }
}
