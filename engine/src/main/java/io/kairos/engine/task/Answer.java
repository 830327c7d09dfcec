package io.kairos.engine.task;

/**
 * Gets the answer to a request, once, on a thread of the engine; must not block. Exactly one of the
 * two methods is called.
 */
public interface Answer<T> {
  void answered(T value);

  /**
   * The request may or may not have taken effect, unless the cause says otherwise.
   *
   * @param cause {@link io.kairos.engine.node.StoreUnavailable}; or {@link NodeStopping} or {@link
   *     NotEnrolled}, which say that it has not
   */
  void failed(RuntimeException cause);
}
