package io.kairos.client.task;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A task or batch that a task has waited for, as it was when that task was claimed. Thread-safe.
 */
public final class Predecessor {
  private final TaskId id;
  private final String handler;
  private final TaskState state;
  private final boolean isBatch;
  private final @Nullable Supplier<TaskResult> result;
  private final long resultBytes;

  /**
   * @param result decrypts its result whenever that is asked for; null for none, and when it is
   *     left out
   * @param resultBytes length of the result that nodes keep, also when it is left out
   */
  public Predecessor(
      TaskId id,
      String handler,
      TaskState state,
      boolean isBatch,
      @Nullable Supplier<TaskResult> result,
      long resultBytes) {
    this.id = id;
    this.handler = handler;
    this.state = state;
    this.isBatch = isBatch;
    this.result = result;
    this.resultBytes = resultBytes;
  }

  /** Id of the task, or that of the batch. */
  public TaskId id() {
    return id;
  }

  /**
   * Name of its handler, or {@code pool:} and the name of its pool; empty when it is no longer in
   * the history.
   */
  public String handler() {
    return handler;
  }

  /**
   * How it has ended. {@link TaskState#OTHER} when it is no longer in the history, and for a batch
   * that goes on again because a task of it was put back.
   */
  public TaskState state() {
    return state;
  }

  /** True for a batch, which has no result: the client's {@code batches()} have its counts. */
  public boolean isBatch() {
    return isBatch;
  }

  /**
   * The result that it left, if it was handed over. Throws {@link
   * io.kairos.client.encryption.PayloadDecryptionException} when it cannot be decrypted.
   */
  public Optional<TaskResult> result() {
    return Optional.ofNullable(result).map(Supplier::get);
  }

  /** Length of the result that nodes keep, in bytes, also when it is left out. */
  public long resultBytes() {
    return resultBytes;
  }

  /**
   * True when it left a result that had no room beside the task: the client's {@code predecessors}
   * asks for it.
   */
  public boolean isResultLeftOut() {
    return result == null && resultBytes > 0;
  }

  @Override
  public String toString() {
    return "Predecessor[" + id + ", " + handler + ", " + state + "]";
  }
}
