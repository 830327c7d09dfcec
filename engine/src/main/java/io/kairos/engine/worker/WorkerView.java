package io.kairos.engine.worker;

import java.time.Instant;

/**
 * A worker as all nodes together know it.
 *
 * @param running tasks that it performs
 * @param lapsed leases of it that lapsed since it began
 * @param since when it first asked for work, accurate to some seconds
 * @param seenAt when it last asked for work or extended a lease, accurate to some seconds
 * @param isQuiet true when that is two minutes ago
 * @param isDrained true while it is given no more tasks
 */
public record WorkerView(
    WorkerKey key,
    WorkerDetails details,
    int running,
    long lapsed,
    Instant since,
    Instant seenAt,
    boolean isQuiet,
    boolean isDrained) {
  /** The same after its drain has ended. */
  public WorkerView undrained() {
    return new WorkerView(key, details, running, lapsed, since, seenAt, isQuiet, false);
  }

  /** Its place in the list of workers. */
  public WorkerPlace place() {
    return new WorkerPlace(isQuiet, key);
  }
}
