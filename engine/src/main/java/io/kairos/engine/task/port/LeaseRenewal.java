package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskProgress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lease to be renewed, so that it ends no earlier than this long from now.
 *
 * @param caller the caller of the API that asks for it, whose worker must have claimed the task;
 *     null for none
 * @param progress what the worker says of the attempt; null for nothing new, which keeps what it
 *     has said before
 */
public record LeaseRenewal(
    FencedTask task, Duration lease, @Nullable String caller, @Nullable TaskProgress progress) {
  /** A renewal without progress. */
  public LeaseRenewal(FencedTask task, Duration lease, @Nullable String caller) {
    this(task, lease, caller, null);
  }

  /** A renewal for no caller. */
  public LeaseRenewal(FencedTask task, Duration lease) {
    this(task, lease, null, null);
  }

  /** This renewal and a later one of the same task and caller in one. */
  public LeaseRenewal followedBy(LeaseRenewal later) {
    return new LeaseRenewal(
        task,
        lease.compareTo(later.lease) >= 0 ? lease : later.lease,
        caller,
        later.progress == null ? progress : later.progress);
  }

  /** Bytes of its note, about. */
  public long bytes() {
    return progress == null ? 0 : progress.note().length();
  }
}
