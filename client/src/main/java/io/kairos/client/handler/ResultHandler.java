package io.kairos.client.handler;

import org.jspecify.annotations.Nullable;

/**
 * A {@link Handler} that returns a value, which is kept with the task and given to callers who
 * await it. Everything else is as for a handler.
 *
 * @param <T> the payload
 * @param <R> the value
 */
@FunctionalInterface
public interface ResultHandler<T, R> {
  /** Returns the result of the task; null for none. */
  @Nullable R handle(T payload, TaskContext context) throws Exception;

  /** See {@link Handler#isReady}. */
  default boolean isReady(String handler) {
    return true;
  }
}
