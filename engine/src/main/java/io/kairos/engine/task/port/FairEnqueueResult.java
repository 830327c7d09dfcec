package io.kairos.engine.task.port;

import java.util.List;

/**
 * Tasks of several fairness keys.
 *
 * @param tasks of each key the earliest, in the order of their triggers
 * @param nextAfter the key after which the next search should begin: behind the keys that were
 *     looked at, or before the first whose tasks did not fit
 * @param isWhole true when all keys were looked at
 */
public record FairEnqueueResult(List<EnqueuedTask> tasks, String nextAfter, boolean isWhole) {
  public FairEnqueueResult {
    tasks = List.copyOf(tasks);
  }
}
