package io.kairos.engine.task.port;

import io.kairos.domain.task.Idempotency;
import org.jspecify.annotations.Nullable;

/**
 * A task that asks to be stored.
 *
 * @param onQueue begins on its queue, in the memory of the node that stores it, if nothing is in
 *     its way
 * @param idempotency null when it may be stored twice
 */
public record Arrival(NewTask task, boolean onQueue, @Nullable Idempotency idempotency) {
  /** One that may be stored twice. */
  public Arrival(NewTask task, boolean onQueue) {
    this(task, onQueue, null);
  }
}
