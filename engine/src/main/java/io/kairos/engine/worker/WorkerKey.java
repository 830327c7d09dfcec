package io.kairos.engine.worker;

import org.jspecify.annotations.Nullable;

/**
 * Which worker. Workers of two callers of the API that have the same id are two workers.
 *
 * @param worker the id of the worker, which stays as long as its process runs
 * @param caller the caller of the API whose worker it is; empty for none
 */
public record WorkerKey(String worker, String caller) {
  /**
   * Makes the key of a worker.
   *
   * @param caller null for none
   */
  public static WorkerKey of(String worker, @Nullable String caller) {
    return new WorkerKey(worker, caller == null ? "" : caller);
  }

  /** The caller; null for none. */
  public @Nullable String callerOrNull() {
    return caller.isEmpty() ? null : caller;
  }
}
