package io.kairos.client;

import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import java.util.function.Function;

/**
 * A call to make, at once or without a thread that waits.
 *
 * @param repeatable true when a repetition does no harm
 * @param meaning what the answer is for the application; it must not block
 */
record NodeCall<Q extends MessageLite, A extends MessageLite, R>(
    MethodDescriptor<Q, A> method, Q request, boolean repeatable, Function<A, R> meaning) {
  /** An idempotent call. */
  static <Q extends MessageLite, A extends MessageLite, R> NodeCall<Q, A, R> of(
      MethodDescriptor<Q, A> method, Q request, Function<A, R> meaning) {
    return new NodeCall<>(method, request, true, meaning);
  }
}
