package io.kairos.bench.fault;

import io.kairos.bench.fault.OutageLateness.Window;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.schedule.FirePlan;
import io.kairos.bench.schedule.PlannedRuns;
import io.kairos.bench.schedule.ScheduleRegistration;
import io.kairos.bench.schedule.ScheduleTables;
import io.kairos.bench.task.TaskWorkerMain;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.client.ScheduleSpec;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The broker is killed for a while under tasks, schedules whose runs are tasks, and messages. Tasks
 * and schedules need no broker, so none of them may be late by the outage, as {@link
 * OutageLateness} defines it by the calm half-minutes before and after.
 */
final class BrokerAway {
  /** When something is so late without an outage, the machine is too busy to judge by. */
  private static final double TOO_BUSY_MILLIS = 2_000;

  private static final int NODES = 2;
  private static final Duration CALM = Duration.ofSeconds(30);
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);
  private static final Duration PUNCTUAL_WITHIN = Duration.ofMinutes(5);
  private static final double DOOR_CLOSES_WITHIN_MILLIS = 30_000;

  /** Schedules that fire at every second. */
  private static final int SCHEDULES = 50;

  /** What must be ready and open whatever the broker does. */
  private static final List<String> OPEN =
      List.of("/readyz", "/readyz?door=tasks", "/readyz?door=schedules", "/readyz?door=pools");

  private static final String DELAY = "/readyz?door=delay";

  private final FaultContext context;
  private final NodesScene tasks;
  private final DelayScene messages;
  private final LoadPayload runs;
  private final FirePlan plan;

  private BrokerAway(FaultContext context) throws SQLException {
    this.context = context;
    BenchRig rig = context.startNodes(NODES);
    tasks = NodesScene.on(context, rig);
    runs = LoadPayload.ofNewRun(context.node.valueBytes);
    plan =
        FirePlan.after(
            Instant.now().plus(ScheduleRegistration.lead(SCHEDULES)),
            SCHEDULES,
            1,
            FirePlan.Unit.SECOND);
    ScheduleRegistration.register(
        rig,
        plan,
        runs,
        schedule ->
            schedule.handler(TaskWorkerMain.FIRED_HANDLER).overlap(ScheduleSpec.Overlap.ALLOW_ALL),
        context::say);
    messages = new DelayScene(context, rig);
  }

  static void happen(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    new BrokerAway(context).happen(verdict);
  }

  private void happen(FaultVerdict verdict) throws SQLException, InterruptedException {
    tasks.startLoad();
    BenchWait.passUntil(plan.atMicros(0));
    BenchWait.pass(context.options.warmup);
    messages.awaitPunctual(PUNCTUAL_WITHIN);
    long calm = LoadClock.micros();
    BenchWait.pass(CALM);

    long killed = LoadClock.micros();
    messages.rig.broker().kill();
    context.say("the broker is away");
    lookAtDoors(killed, verdict);
    messages.rig.broker().restart();
    context.say("the broker is back");
    long back = LoadClock.micros();
    messages.demandPunctual("after the return", back, PUNCTUAL_WITHIN, verdict);
    verdict.demand(areAll(DELAY), "the door delay stayed closed");

    long after = LoadClock.micros();
    BenchWait.pass(CALM);
    long end = LoadClock.micros();
    tasks.stopLoad();
    int rounds = plan.roundOf(end) + 1;
    ScheduleTables.awaitEnd(tasks.connection, plan.atMicros(rounds - 1));
    LoadAccounts sent = messages.settle();
    LoadAccounts performed = tasks.settle();

    List<Window> calmWindows = List.of(new Window(calm, killed), new Window(after, end));
    Window away = new Window(killed, back);
    Window catchUp = new Window(back, after);
    judge("task", tasks.payload.run(), calmWindows, away, catchUp, verdict);
    judge("schedule", runs.run(), calmWindows, away, catchUp, verdict);
    PlannedRuns planned = new PlannedRuns(plan, PlannedRuns.AT_ONCE, 0, rounds);
    tasks.executions().forEach(one -> planned.performed(one, runs.run()));
    planned.report(verdict.figures(), verdict.demands());
    ScheduleTables.judge(tasks.connection, plan, 0, rounds)
        .report(verdict.figures(), verdict.demands());
    performed.judge(verdict.demands());
    verdict
        .saw("tasks accepted", Unit.COUNT, performed.accepted())
        .saw("calls that failed", Unit.COUNT, performed.uncertain())
        .saw("tasks lost", Unit.COUNT, performed.missing().lost())
        .saw("tasks performed again", Unit.COUNT, performed.duplicates())
        .demand(performed.uncertain() == 0, "calls failed: " + tasks.failure())
        .demand(sent.duplicates() == 0, "messages were duplicated")
        .account(sent);
  }

  /** Asks all nodes for all doors until the outage is over. */
  private void lookAtDoors(long killed, FaultVerdict verdict) {
    long[] seen = new long[2]; // looks, and those that found something shut
    double[] closedMillis = {Double.POSITIVE_INFINITY};
    BenchWait.until(
        () -> {
          seen[0]++;
          if (!OPEN.stream().allMatch(this::areAll)) {
            seen[1]++;
          }
          double millis = (LoadClock.micros() - killed) / 1e3;
          if (closedMillis[0] > millis && isClosedEverywhere()) {
            closedMillis[0] = millis;
          }
          return false;
        },
        context.options.outage,
        LOOK_EVERY);
    verdict
        .saw("looks at /readyz while the broker was away", Unit.COUNT, seen[0])
        .saw("of these not ready, or closed for tasks, schedules or pools", Unit.COUNT, seen[1])
        .saw("door delay closed on all nodes after", Unit.MILLIS, closedMillis[0])
        .demand(seen[1] == 0, "a node was not ready while only the broker was away")
        .demand(
            closedMillis[0] <= DOOR_CLOSES_WITHIN_MILLIS,
            "the door delay was not closed within "
                + ShownNumbers.millis(DOOR_CLOSES_WITHIN_MILLIS));
  }

  private boolean areAll(String path) {
    return messages.rig.nodes().stream().allMatch(node -> node.answers(path));
  }

  private boolean isClosedEverywhere() {
    return messages.rig.nodes().stream().noneMatch(node -> node.answers(DELAY));
  }

  private void judge(
      String what, long run, List<Window> calm, Window away, Window catchUp, FaultVerdict verdict) {
    OutageLateness lateness =
        new OutageLateness(
            tasks.executions().stream().filter(one -> one.run() == run).toList(), calm);
    double calmMillis = lateness.calmMillis();
    long late = lateness.late(away);
    long lateAfter = lateness.late(catchUp);
    verdict
        .saw("latest " + what + " in the calm before and after", Unit.MILLIS, calmMillis)
        .saw(
            "latest " + what + " while the broker was away",
            Unit.MILLIS,
            lateness.latestMillis(away))
        .saw(what + ": late by it", Unit.COUNT, late)
        .saw(
            "latest " + what + " while messages caught up",
            Unit.MILLIS,
            lateness.latestMillis(catchUp))
        .saw(what + ": late by that", Unit.COUNT, lateAfter)
        .demand(
            calmMillis <= TOO_BUSY_MILLIS,
            "a " + what + " was late by " + ShownNumbers.millis(calmMillis) + " without an outage")
        .demand(late + lateAfter == 0, (late + lateAfter) + " times a " + what + " was late by it");
  }
}
