package io.kairos.client.worker;

import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.HandlerSignals;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.PayloadFormatException;
import io.kairos.client.task.TaskResult;

/**
 * Decodes payloads and encodes values for handlers. Bytes that are no payload today will be none at
 * the next attempt, so the task fails for good, unless the codec says otherwise: by an exception of
 * handlers, or that this process cannot read the type at all.
 */
final class PayloadForm {
  private PayloadForm() {}

  static <T> T decoded(PayloadCodec<T> codec, byte[] payload) {
    try {
      return codec.decode(payload);
    } catch (RuntimeException e) { // of the codec, which may belong to the application
      String text = "the payload cannot be decoded: " + e.getMessage();
      throw e instanceof PayloadFormatException refused && refused.isOfThisProcess()
          ? new RetryLater(text, null, null, refused.errorClass())
          : fatal("the payload cannot be decoded", e);
    }
  }

  static <R> TaskResult encoded(PayloadCodec<R> codec, R value) {
    try {
      return TaskResult.of(codec, value);
    } catch (RuntimeException e) { // of the codec, which may belong to the application
      throw fatal("performed, but its result cannot be encoded", e);
    }
  }

  private static RuntimeException fatal(String what, RuntimeException thrown) {
    if (HandlerSignals.isSignal(thrown)) {
      return thrown;
    }
    return thrown instanceof PayloadFormatException refused
        ? new FatalFailure(what + ": " + refused.getMessage(), null, refused.errorClass())
        : new FatalFailure(what, thrown);
  }
}
