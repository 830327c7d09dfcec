package io.kairos.bench.fault;

import io.kairos.bench.fault.OutageLateness.Window;
import io.kairos.bench.fault.scene.DelayScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.fault.scene.NodesScene;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.schedule.FirePlan;
import io.kairos.bench.schedule.PlannedRuns;
import io.kairos.bench.schedule.ScheduleRegistration;
import io.kairos.bench.schedule.ScheduleTables;
import io.kairos.bench.trial.LoadAccounts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * The broker is killed for a while under tasks, schedules whose runs are tasks, and messages. Tasks
 * and schedules need no broker: none of them may be late by the outage, as {@link OutageLateness}
 * defines it. Messages wait, and none may be lost; one that the broker had not acknowledged may
 * come twice.
 */
final class BrokerAway {
  private static final int NODES = 2;
  private static final int SCHEDULES = 50;
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);
  private static final Duration PUNCTUAL_WITHIN = Duration.ofMinutes(5);

  /** What must be ready and open whatever the broker does. */
  private static final List<String> OPEN =
      List.of("/readyz", "/readyz?door=tasks", "/readyz?door=schedules", "/readyz?door=pools");

  private static final String DELAY = "/readyz?door=delay";

  private final FaultContext context;
  private final NodesScene tasks;
  private final DelayScene messages;
  private final LoadPayload runs;
  private final FirePlan plan;

  BrokerAway(FaultContext context) throws SQLException {
    this.context = context;
    BenchRig rig = context.startNodes(NODES);
    tasks = NodesScene.on(context, rig);
    runs = LoadPayload.ofNewRun(context.node.valueBytes);
    plan = ScheduleRegistration.everySecond(rig, SCHEDULES, runs, context::say);
    messages = new DelayScene(context, rig);
  }

  void happen(FaultVerdict verdict) throws SQLException, InterruptedException {
    tasks.startLoad();
    BenchWait.passUntil(plan.atMicros(0));
    BenchWait.pass(context.options.warmup);
    messages.demandPunctual("before the outage", LoadClock.micros(), PUNCTUAL_WITHIN, verdict);
    int failedBefore = tasks.failures();
    long calm = LoadClock.micros();
    context.say("calm");
    BenchWait.pass(context.options.outage);

    int failedInCalm = tasks.failures() - failedBefore;
    long killed = LoadClock.micros();
    messages.rig.broker().kill();
    context.say("the broker is away");
    lookAtDoors(killed, verdict);
    messages.rig.broker().restart();
    long back = LoadClock.micros();
    context.say("the broker is back");
    messages.demandPunctual("after it", back, PUNCTUAL_WITHIN, verdict);
    verdict
        .demand(areAll(DELAY), "the door delay stayed closed")
        .demand(messages.allSurvived(), "a node did not survive");
    long end = LoadClock.micros();

    tasks.stopLoad();
    int rounds = plan.roundOf(end) + 1;
    ScheduleTables.awaitEnd(tasks.connection, plan.atMicros(rounds - 1));
    LoadAccounts sent = messages.settle();
    LoadAccounts performed = tasks.settle();
    long failed = performed.uncertain() - failedBefore - failedInCalm;
    Window before = new Window(calm, killed);
    Window away = new Window(killed, back);
    Window after = new Window(back, end);
    judge("task", tasks.payload.run(), before, away, after, verdict);
    judge("schedule", runs.run(), before, away, after, verdict);
    PlannedRuns planned = new PlannedRuns(plan, PlannedRuns.AT_ONCE, 0, rounds);
    tasks.executions().forEach(one -> planned.performed(one, runs.run()));
    planned.report(verdict.figures(), verdict.demands());
    ScheduleTables.judge(tasks.connection, plan, 0, rounds)
        .report(verdict.figures(), verdict.demands());
    performed.judge(verdict.demands());
    verdict
        .saw("tasks accepted", Unit.COUNT, performed.accepted())
        .saw("tasks lost", Unit.COUNT, performed.missing().lost())
        .saw("tasks performed again", Unit.COUNT, performed.duplicates())
        .saw("calls that failed in the calm before the outage", Unit.COUNT, failedInCalm)
        .saw("calls that failed since", Unit.COUNT, failed)
        .demand(
            failed <= (long) OutageLateness.TIMES * failedInCalm,
            failed + " calls failed: " + tasks.failure())
        .account(sent);
  }

  /** Asks all nodes for all doors until the outage is over. */
  private void lookAtDoors(long killed, FaultVerdict verdict) {
    long[] seen = new long[2]; // looks, and those that found something shut
    double[] closedMillis = {-1};
    BenchWait.until(
        () -> {
          seen[0]++;
          if (!OPEN.stream().allMatch(this::areAll)) {
            seen[1]++;
          }
          if (closedMillis[0] < 0 && isClosedEverywhere()) {
            closedMillis[0] = (LoadClock.micros() - killed) / 1e3;
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
        .demand(closedMillis[0] >= 0, "the door delay stayed open without a broker");
  }

  private boolean areAll(String path) {
    return messages.rig.nodes().stream().allMatch(node -> node.answers(path));
  }

  private boolean isClosedEverywhere() {
    return messages.rig.nodes().stream().noneMatch(node -> node.answers(DELAY));
  }

  private void judge(
      String what, long run, Window before, Window away, Window after, FaultVerdict verdict) {
    OutageLateness lateness =
        new OutageLateness(
            tasks.executions().stream().filter(one -> one.run() == run).toList(), before);
    long late = lateness.late(away);
    long lateAfter = lateness.late(after);
    verdict
        .saw("latest " + what + " before the outage", Unit.MILLIS, lateness.latestMillis(before))
        .saw(
            "latest " + what + " while the broker was away",
            Unit.MILLIS,
            lateness.latestMillis(away))
        .saw(what + ": late by it", Unit.COUNT, late)
        .saw(
            "latest " + what + " while messages caught up",
            Unit.MILLIS,
            lateness.latestMillis(after))
        .saw(what + ": late by that", Unit.COUNT, lateAfter)
        .demand(
            lateness.canJudge(away),
            "the machine was too busy before the outage to judge how late a " + what + " is")
        .demand(
            late + lateAfter == 0,
            "%d times a %s was late by the outage, and %d times while messages caught up"
                .formatted(late, what, lateAfter));
  }
}
