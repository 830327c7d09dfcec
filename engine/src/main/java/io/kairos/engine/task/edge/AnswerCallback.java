package io.kairos.engine.task.edge;

/**
 * Receives the answer to a request on a thread of the engine. Exactly one of the two methods is
 * called, once; neither may block.
 */
public interface AnswerCallback<T> {
  void answered(T value);

  /**
   * The request failed. It may or may not have taken effect, unless the cause says otherwise.
   *
   * @param cause {@link io.kairos.engine.node.StoreUnavailable}; or {@link NodeStopping} or {@link
   *     NotEnrolled}, after which the request has had no effect
   */
  void failed(RuntimeException cause);
}
