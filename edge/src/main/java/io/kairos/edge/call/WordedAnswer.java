package io.kairos.edge.call;

import io.kairos.engine.task.edge.AnswerCallback;
import java.util.function.Function;

/**
 * Gives a caller the API's message of the engine's answer. Called on a thread of the engine.
 *
 * @param words makes the message; its exception is the caller's failure
 */
public record WordedAnswer<T, A>(AnswerCallback<A> caller, Function<T, A> words)
    implements AnswerCallback<T> {
  @Override
  public void answered(T value) {
    A answer;
    try {
      answer = words.apply(value);
    } catch (RuntimeException e) {
      caller.failed(e);
      return;
    }
    caller.answered(answer);
  }

  @Override
  public boolean takeRoom(long bytes) {
    return caller.takeRoom(bytes);
  }

  @Override
  public void failed(RuntimeException cause) {
    caller.failed(cause);
  }
}
