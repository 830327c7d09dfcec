package io.kairos.client.worker;

import io.kairos.client.PayloadCodec;

/** A handler with its name, and how to read its payloads. */
record Registration<T>(
    String name, PayloadCodec<T> codec, Handler<? super T> handler, HandlerOptions options) {
  /** For a task that was not asked for: another worker may know what to do. */
  static Registration<byte[]> missing(String name) {
    return new Registration<>(
        name,
        PayloadCodec.bytes(),
        (payload, context) -> {
          throw new RetryLater("this worker has no handler " + name);
        },
        HandlerOptions.DEFAULT);
  }

  /** Whether its tasks are to be asked for now. */
  boolean isReady() {
    return handler.isReady(name);
  }

  void perform(byte[] payload, TaskContext context) throws Exception {
    handler.handle(codec.decode(payload), context);
  }
}
