package io.kairos.edge.call;

import io.grpc.stub.StreamObserver;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.engine.task.edge.AnswerCallback;
import java.util.function.Function;

/**
 * Sends the engine's answer, or a refusal, to the caller. Called on a thread of the engine; the
 * connection's thread writes.
 *
 * @param words makes the API message of the engine's answer; its exception becomes a refusal
 */
public record CallReply<T, A>(StreamObserver<A> caller, Function<T, A> words)
    implements AnswerCallback<T> {
  @Override
  public void answered(T value) {
    A answer;
    try {
      answer = words.apply(value);
    } catch (RuntimeException e) {
      caller.onError(CallRefusals.of(e));
      return;
    }
    caller.onNext(answer);
    caller.onCompleted();
  }

  @Override
  public void failed(RuntimeException cause) {
    caller.onError(CallRefusals.of(cause));
  }
}
