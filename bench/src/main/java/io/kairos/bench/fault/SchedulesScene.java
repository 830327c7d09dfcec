package io.kairos.bench.fault;

import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.bench.schedule.Decisions;
import io.kairos.bench.schedule.FirePlan;
import io.kairos.bench.schedule.Registration;
import io.kairos.bench.schedule.Runs;
import io.kairos.bench.schedule.ScheduleTables;
import io.kairos.bench.task.TaskWorkers;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Two nodes as shipped, workers that know both, and schedules that all fire at every second,
 * whatever of them is still unfinished. Begun and ended by the fault's thread.
 */
final class SchedulesScene implements AutoCloseable {
  private static final int NODES = 2;
  private static final int WORKERS = 2;
  private static final int EXECUTORS = 4;
  private static final Duration READY_WITHIN = Duration.ofMinutes(2);

  /** Lease, and the first backoff of a failed attempt. */
  private static final Duration QUIET = Duration.ofSeconds(40);

  private final FaultContext context;
  private final Payload payload;
  private final Rig rig;
  private final RouteTopics topics;
  private final FirePlan plan;
  private final TaskWorkers workers;
  private final Connection connection;

  private SchedulesScene(FaultContext context) throws SQLException {
    this.context = context;
    payload = new Payload(new SplittableRandom().nextLong() >>> 1, context.load().valueBytes());
    rig = Rig.start(context.workplace(), context.server());
    TaskWorkers started = null;
    boolean complete = false;
    try {
      topics = rig.newRoute(context.partitions());
      for (int i = 0; i < NODES; i++) {
        rig.launchNode(topics, context.settings());
      }
      rig.nodes().forEach(node -> node.awaitReady(READY_WITHIN));
      started = TaskWorkers.start(rig, context.workplace(), "worker", WORKERS, EXECUTORS);
      workers = started;
      connection = rig.connect();
      int schedules = Math.toIntExact(Math.round(context.load().perSecond()));
      plan =
          FirePlan.after(
              Instant.now().plus(Registration.lead(schedules)), schedules, 1, FirePlan.Unit.SECOND);
      Registration.register(rig, plan, payload, OverlapPolicy.ALLOW_ALL, context.progress());
      complete = true;
    } finally {
      if (!complete) {
        if (started != null) {
          started.close();
        }
        rig.close();
      }
    }
  }

  /** All is ready; the first fire time is soon. */
  static SchedulesScene begin(FaultContext context) throws SQLException {
    return new SchedulesScene(context);
  }

  FirePlan plan() {
    return plan;
  }

  /** Those that run, in the order of their start. */
  List<NodeProcess> nodes() {
    return rig.nodes();
  }

  /** A new one at the address of one that has ended. */
  void replace(NodeProcess ended) {
    rig.launchAgain(ended, topics, context.settings()).awaitReady(READY_WITHIN);
  }

  /**
   * What is left when it is over.
   *
   * @param rounds seconds in which schedules fired
   */
  record Outcome(Decisions decisions, Runs runs, int rounds) {}

  /** Lets nothing fire any more, waits until all has ended, and counts. */
  Outcome settle() throws SQLException {
    int rounds = plan.roundOf(WallClock.micros()) + 1;
    Waiting.until(() -> ScheduleTables.allDecided(connection, plan.atMicros(rounds - 1)), QUIET);
    ScheduleTables.pauseAll(connection);
    Waiting.until(() -> ScheduleTables.noneUnfinished(connection), QUIET);
    workers.stop();
    return new Outcome(
        ScheduleTables.judge(connection, plan, 0, rounds),
        Runs.read(workers, plan, payload.run(), 0, rounds),
        rounds);
  }

  @Override
  public void close() throws SQLException {
    workers.close();
    connection.close();
    rig.close();
  }
}
