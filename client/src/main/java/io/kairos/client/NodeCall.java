package io.kairos.client;

import com.google.protobuf.MessageLite;
import java.util.function.Function;

/**
 * A call to make, at once or without a thread that waits. The type of the request names the method,
 * because each method has one of its own.
 *
 * @param repeatable true when a repetition does no harm
 * @param meaning what the answer is for the application; it must not block
 */
record NodeCall<Q extends MessageLite, A, R>(
    Class<A> answer, Q request, boolean repeatable, Function<A, R> meaning) {
  /** An idempotent call. */
  static <Q extends MessageLite, A, R> NodeCall<Q, A, R> of(
      Class<A> answer, Q request, Function<A, R> meaning) {
    return new NodeCall<>(answer, request, true, meaning);
  }
}
