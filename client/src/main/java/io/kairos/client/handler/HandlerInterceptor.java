package io.kairos.client.handler;

/**
 * Code around every attempt that a worker makes, of all its handlers: for traces, metrics, or a
 * context that handlers need. Called on executor threads, concurrently, in place of the handler; it
 * calls {@link Attempt#perform} once on the same thread. An exception that it throws counts like
 * one of the handler, so it passes on those of the handler.
 */
@FunctionalInterface
public interface HandlerInterceptor {
  /** Adds nothing to an attempt. */
  HandlerInterceptor NONE = (context, attempt) -> attempt.perform(context);

  void perform(TaskContext context, Attempt attempt) throws Exception;

  /** The rest of an attempt: further interceptors and the handler. */
  @FunctionalInterface
  interface Attempt {
    /**
     * Performs the task.
     *
     * @param context context that the handler sees: the given one, or a form of it such as {@link
     *     TaskContext#withTraceparent}
     */
    void perform(TaskContext context) throws Exception;
  }
}
