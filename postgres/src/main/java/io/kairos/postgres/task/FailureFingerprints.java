package io.kairos.postgres.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.Settlement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprints of failures that settlements report. Computed before a transaction locks rows,
 * because a hostile text may take a millisecond.
 */
record FailureFingerprints(Map<FencedTask, String> byTask) {
  static FailureFingerprints of(List<Settlement> settlements) {
    Map<FencedTask, String> byTask = new HashMap<>();
    for (Settlement settlement : settlements) {
      switch (settlement) {
        case Settlement.Finish finish -> {
          if (finish.state() == TaskState.FAILED || finish.state() == TaskState.DEAD) {
            byTask.put(finish.task(), finish.fingerprint());
          }
        }
        case Settlement.Retry retry -> byTask.put(retry.task(), retry.fingerprint());
        case Settlement.NotBegun _, Settlement.Snooze _, Settlement.Requeue _ -> {
          // no failure
        }
      }
    }
    return new FailureFingerprints(byTask);
  }

  /** That of the failure of a task; null for none. */
  @Nullable String of(FencedTask task) {
    return byTask.get(task);
  }
}
