package io.kairos.model.task;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.task.port.DueNotifier;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Notifies every node that has listened once. Never waits, never fails. Thread-safe. */
public final class ModelDueNotifier implements DueNotifier {
  @GuardedBy("this")
  private final Map<NodeId, Boolean> rungFor = new HashMap<>();

  @GuardedBy("this")
  private int rings;

  @Override
  public synchronized void notifyOthers(NodeId by) {
    rings++;
    rungFor.replaceAll((node, rung) -> rung || !node.equals(by));
  }

  @Override
  public synchronized boolean heard(NodeId by, Duration atMost) {
    Boolean rung = rungFor.put(by, false);
    return rung != null && rung;
  }

  /** Number of notifications. */
  public synchronized int rings() {
    return rings;
  }
}
