package io.kairos.engine.task.edge;

import java.util.function.Consumer;

/**
 * Receives the answer to a request on a thread of the engine. Exactly one of the two methods is
 * called, once; neither may block.
 */
public interface AnswerCallback<T> {
  /** A callback of two functions. */
  static <T> AnswerCallback<T> of(Consumer<T> answered, Consumer<RuntimeException> failed) {
    return new AnswerCallback<>() {
      @Override
      public void answered(T value) {
        answered.accept(value);
      }

      @Override
      public void failed(RuntimeException cause) {
        failed.accept(cause);
      }
    };
  }

  void answered(T value);

  /**
   * Takes room for an answer with so many bytes of payload, before the tasks for it are claimed.
   * The room stays until the caller has its answer; asking again takes what is more, or gives back
   * what is less.
   *
   * @return false when there is no room; the wait fails with {@link NoAnswerRoom}
   */
  default boolean takeRoom(long bytes) {
    return true;
  }

  /**
   * The request failed. It may or may not have taken effect, unless the cause says otherwise.
   *
   * @param cause {@link io.kairos.engine.node.StoreUnavailable}; or {@link NodeStopping} or {@link
   *     NotEnrolled} or {@link NoAnswerRoom}, after which the request has had no effect
   */
  void failed(RuntimeException cause);
}
