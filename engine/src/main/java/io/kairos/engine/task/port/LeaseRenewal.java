package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lease to be renewed, so that it ends no earlier than this long from now.
 *
 * @param caller the caller of the API that asks for it, whose worker must have claimed the task;
 *     null for none
 */
public record LeaseRenewal(FencedTask task, Duration lease, @Nullable String caller) {
  /** A renewal for no caller. */
  public LeaseRenewal(FencedTask task, Duration lease) {
    this(task, lease, null);
  }
}
