package io.kairos.bench.fault;

import io.kairos.bench.fault.scene.DelayScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.fault.scene.NodesScene;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.site.SitePostgres;
import io.kairos.bench.site.ThreeSites;
import io.kairos.bench.task.ExecutionLog.Execution;
import io.kairos.bench.trial.LoadAccounts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * PD-7, PD-8: three datacentres with a node, a broker and a Postgres server each. In each round the
 * one with the primary is killed at once and a standby is promoted. Then the lost one comes back
 * with its old primary as it was, beside the new one, before it is made a standby. Messages and
 * tasks flow all the time.
 */
final class DatacentreLoss {
  private static final Duration ALONE = Duration.ofSeconds(5);
  private static final Duration OLD_PRIMARY_FOR = Duration.ofSeconds(8);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final Duration PUNCTUAL_WITHIN = Duration.ofMinutes(2);
  private static final double LONGEST_PAUSE_MILLIS = 30_000;

  private final FaultContext context;
  private final ThreeSites sites;
  private final BenchRig rig;
  private final List<BenchNodeProcess> nodes;
  private final NodesScene tasks;
  private final DelayScene messages;
  private final List<Round> rounds = new ArrayList<>();

  /**
   * A loss and a return.
   *
   * @param untilNanos when the next one may begin
   * @param sent how long messages were not punctual
   * @param writes that nodes sent to the old primary after its return
   * @param sessions that were opened there, to look at it
   */
  private record Round(
      long lostAtNanos, long untilNanos, double promoted, double sent, long writes, long sessions) {
    double pauseMillis(List<Execution> executions) {
      return Math.max(sent, TaskNodeFaults.longestGapMillis(executions, lostAtNanos, untilNanos));
    }
  }

  private DatacentreLoss(FaultContext context, ThreeSites sites) throws SQLException {
    this.context = context;
    this.sites = sites;
    rig = context.startRig(sites);
    rig.startNodes(sites.count());
    nodes = new ArrayList<>(rig.nodes());
    tasks = NodesScene.on(context, rig);
    messages = new DelayScene(context, rig);
  }

  static void happen(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    new DatacentreLoss(context, context.startSites()).happen(verdict);
  }

  private void happen(FaultVerdict verdict) throws SQLException, InterruptedException {
    tasks.startLoad();
    BenchWait.pass(context.options.warmup);
    messages.awaitPunctual(PUNCTUAL_WITHIN);
    for (int i = 1; i <= context.options.rounds; i++) {
      Round round = round();
      rounds.add(round);
      context.say(
          "%d: promoted after %.1f s, messages punctual after %.1f s, %d writes to the old primary, %d looks at it"
              .formatted(i, round.promoted / 1e3, round.sent / 1e3, round.writes, round.sessions));
    }
    tasks.stopLoad();
    LoadAccounts sent = messages.settle();
    LoadAccounts performed = tasks.settle();
    judge(verdict, sent, performed);
  }

  private Round round() throws SQLException {
    int lost = sites.primary();
    long lostAt = System.nanoTime();
    long lostAtMicros = LoadClock.micros();
    sites.lose(lost, nodes.get(lost));
    sites.failOver();
    double promoted = (System.nanoTime() - lostAt) / 1e6;
    long punctualAt = messages.awaitPunctual(PUNCTUAL_WITHIN);
    double sent = punctualAt < 0 ? Double.POSITIVE_INFINITY : (punctualAt - lostAtMicros) / 1e3;
    BenchWait.pass(ALONE);
    sites.comeBack(lost);
    SitePostgres old = sites.server(lost);
    nodes.set(lost, rig.replaceNode(nodes.get(lost)));
    sites.server(sites.primary()).cutNodes(); // so that all nodes look for the primary anew
    long[] writes = {0};
    BenchWait.until(
        () -> {
          writes[0] = Math.max(writes[0], old.writes());
          return false;
        },
        OLD_PRIMARY_FOR,
        LOOK_EVERY);
    long sessions = old.sessions();
    sites.rejoin(lost);
    messages.awaitPunctual(PUNCTUAL_WITHIN);
    return new Round(lostAt, System.nanoTime(), promoted, sent, writes[0], sessions);
  }

  private void judge(FaultVerdict verdict, LoadAccounts sent, LoadAccounts performed) {
    List<Execution> executions = tasks.executions();
    long writes = rounds.stream().mapToLong(Round::writes).sum();
    double longest = 0;
    for (int i = 0; i < rounds.size(); i++) {
      double pause = rounds.get(i).pauseMillis(executions);
      longest = Math.max(longest, pause);
      verdict.saw("pause " + (i + 1), Unit.MILLIS, pause);
    }
    performed.judge(verdict.demands());
    verdict
        .saw("tasks accepted", Unit.COUNT, performed.accepted())
        .saw("tasks lost", Unit.COUNT, performed.missing().lost())
        .saw("tasks performed again", Unit.COUNT, performed.duplicates())
        .saw("early tasks", Unit.COUNT, performed.early())
        .saw("datacentres lost", Unit.COUNT, rounds.size())
        .saw("longest pause", Unit.MILLIS, longest)
        .saw("writes to the old primary", Unit.COUNT, writes)
        .saw(
            "looks at the old primary",
            Unit.COUNT,
            rounds.stream().mapToLong(Round::sessions).sum())
        .saw("calls that failed say", tasks.failure())
        .demand(longest <= LONGEST_PAUSE_MILLIS, "a pause was longer than 30 s")
        .demand(writes == 0, "nodes wrote to the old primary")
        .account(sent);
  }
}
