package io.kairos.bench.task;

import io.kairos.bench.dashboard.OverviewClients;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialLoad.Done;
import io.kairos.bench.trial.TrialTimes;
import io.kairos.client.TaskRequest;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that worker processes perform, from the schedule call to the acknowledged result. The
 * workers' own logs judge the run.
 */
final class WorkerTrial extends TaskTrial {
  private static final String OUTCOMES = "kairos_task_ended_total";

  private final TaskWorkers workers;
  private final KeyOrder order;
  private final int dashboards;
  private @Nullable OverviewClients overviews;

  /** Latencies of tasks of priority 10, of the same handler and of the other one. */
  private final List<ArrivalLedger> low = new ArrayList<>();

  /** Cached because every caller asks for it. */
  private volatile long done;

  /**
   * @param dashboards clients with an open Overview
   */
  WorkerTrial(
      BenchRig rig,
      TaskLoadOptions options,
      int payloadBytes,
      int workers,
      int executors,
      int dashboards)
      throws SQLException {
    super(rig, options, payloadBytes);
    this.workers = TaskWorkers.start(rig, workers, executors, options.hold);
    order = new KeyOrder(options.keyPlan());
    this.dashboards = dashboards;
  }

  @Override
  public void describe(FigureList figures) {
    super.describe(figures);
    figures
        .count("nodes", "nodes", rig.nodes().size())
        .count("workers", "workers", workers.count())
        .count("keys", "keys", options.keys)
        .count("tasksPerKey", "tasks of each", options.perKey);
  }

  @Override
  public ResourceMeter meter() {
    return super.meter().part("worker", true, workers::processorTime);
  }

  @Override
  protected TaskRequest.Builder request(long sequence) {
    if (options.lowEvery > 0) {
      boolean isOther = isLow(sequence) && (sequence / options.lowEvery) % 2 == 1;
      return TaskRequest.to(isOther ? TaskWorkerMain.OTHER_HANDLER : TaskWorkerMain.HANDLER)
          .priority(isLow(sequence) ? 10 : 90);
    }
    TaskRequest.Builder request = TaskRequest.to(TaskWorkerMain.HANDLER);
    return options.keys == 0 ? request : request.key("key-" + options.keyPlan().keyOf(sequence));
  }

  private boolean isLow(long sequence) {
    return options.lowEvery > 0 && sequence % options.lowEvery == 0;
  }

  @Override
  public TrialTimes start() throws SQLException {
    TrialTimes times = super.start();
    for (int i = 0; i < 2; i++) {
      low.add(new ArrivalLedger(times.start(), times.measuredFrom(), times.measuredUntil()));
    }
    if (dashboards > 0) {
      overviews = rig.keep(OverviewClients.start(rig.addresses(), dashboards, times));
    }
    return times;
  }

  @Override
  protected void look() {
    try {
      done = (long) rig.metric(OUTCOMES);
    } catch (UncheckedIOException e) {
      // A sum without one of the nodes would be too low. The next look comes soon.
    }
  }

  @Override
  protected long done() {
    return done;
  }

  @Override
  protected void stop(ArrivalLedger ledger) {
    workers.stop(one -> {
      one.into(ledger);
      order.performed(one);
      if (isLow(one.sequence())) {
        one.into(low.get((int) (one.sequence() / options.lowEvery % 2)));
      }
    });
  }

  @Override
  public void judge(Done ended, LoadAccounts accounts, FigureList figures, RunVerdict verdict)
      throws SQLException {
    super.judge(ended, accounts, figures, verdict);
    KeyOrder.Count count = order.count();
    figures
        .row("keys")
        .count("successions", "pairs of neighbours", count.successions())
        .count("disordered", "out of order", count.disordered())
        .count("overlapping", "overlapping", count.overlapping());
    if (options.lowEvery > 0) {
      figures
          .lateness("lowSameHandler", "priority 10", low.get(0).lateness())
          .lateness("lowOtherHandler", "another handler", low.get(1).lateness());
    }
    if (overviews != null) {
      overviews.report(figures, verdict);
    }
    verdict.demand(count.isKept(), "tasks of a key were performed out of order");
  }
}
