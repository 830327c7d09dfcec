package io.kairos.client.worker;

import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;

/** A handler with its name, its payload codec and its options. */
record HandlerRegistration<T>(
    String name, PayloadCodec<T> codec, Handler<? super T> handler, HandlerOptions options) {
  /**
   * Returns a registration for a task that this worker did not ask for; the task is retried,
   * because another worker may have the handler.
   */
  static HandlerRegistration<byte[]> missing(String name) {
    return new HandlerRegistration<>(
        name,
        PayloadCodec.bytes(),
        (payload, context) -> {
          throw new RetryLater("this worker has no handler " + name);
        },
        HandlerOptions.DEFAULT);
  }

  /** True when the worker should ask for tasks of this handler now. */
  boolean isReady() {
    return handler.isReady(name);
  }

  void perform(byte[] payload, MessageEncryption encryption, TaskContext context) throws Exception {
    handler.handle(codec.decode(encryption.decrypted(name, payload)), context);
  }
}
