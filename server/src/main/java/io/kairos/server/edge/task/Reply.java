package io.kairos.server.edge.task;

import io.grpc.stub.StreamObserver;
import io.kairos.engine.task.Answer;
import io.kairos.server.edge.refusal.Refusals;
import java.util.function.Function;

/**
 * Hands the engine's answer to the one who called, or the refusal that its words throw. On the
 * engine's thread; the connection's writes.
 */
public record Reply<T, A>(StreamObserver<A> caller, Function<T, A> words) implements Answer<T> {
  @Override
  public void answered(T value) {
    A answer;
    try {
      answer = words.apply(value);
    } catch (RuntimeException e) {
      caller.onError(Refusals.of(e));
      return;
    }
    caller.onNext(answer);
    caller.onCompleted();
  }

  @Override
  public void failed(RuntimeException cause) {
    caller.onError(Refusals.of(cause));
  }
}
