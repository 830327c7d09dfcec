package io.kairos.bench.task;

import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.client.KairosClient;
import io.kairos.client.QueueLimit;
import org.jspecify.annotations.Nullable;

/**
 * A concurrency cap and a rate limit of the queue over all nodes, so high that neither is reached:
 * what they cost.
 */
record Limits(Rig rig) implements Change {
  /** That of tasks which do not say. */
  static final int PRIORITY = 50;

  private static final int MAX_RUNNING = 100_000;
  private static final double PER_SECOND = 1_000_000;

  @Override
  public String about() {
    return "at most %s running and %s/s of the queue, over all nodes"
        .formatted(Shown.count(MAX_RUNNING), Shown.count(PER_SECOND));
  }

  @Override
  public void make() {
    set(MAX_RUNNING, PER_SECOND);
  }

  @Override
  public boolean undo() {
    set(null, null);
    return true;
  }

  private void set(@Nullable Integer maxRunning, @Nullable Double perSecond) {
    String[] addresses = rig.nodes().stream().map(NodeProcess::address).toArray(String[]::new);
    try (KairosClient client = KairosClient.connect(addresses)) {
      client
          .queues()
          .limit(new QueueLimit(TaskWorkerMain.HANDLER, PRIORITY, maxRunning, perSecond, null, 0));
    }
  }
}
