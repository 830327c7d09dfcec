package io.kairos.bench.fault;

import io.kairos.bench.compare.MeasuredTree;
import io.kairos.bench.fault.scene.DelayScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.fault.scene.NodesScene;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.BenchSql;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.PackagedNode;
import io.kairos.bench.trial.LoadAccounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Nodes of an earlier commit are replaced by nodes of this tree, one after the other, under tasks
 * and messages. The first new node migrates the schema below the old ones, if the commits differ in
 * it. One old node is then started again: it must go on with a schema that is later than its own.
 */
final class RollingUpgrade {
  private static final int NODES = 3;
  private static final Duration BETWEEN = Duration.ofSeconds(8);
  private static final Duration PUNCTUAL_WITHIN = Duration.ofMinutes(2);
  private static final String SCHEMA =
      "select max(version::integer) from flyway_schema_history where success";

  private RollingUpgrade() {}

  static void happen(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    Path root = PackagedNode.repository();
    if (!Files.exists(root.resolve(".git"))) {
      verdict.skip("the earlier commit is checked out of the repository, and this is no clone");
      return;
    }
    Path earlier = earlier(context, root);
    BenchRig rig = context.startRig();
    rig.useNodesOf(earlier);
    rig.startNodes(NODES);
    List<BenchNodeProcess> old = rig.nodes();
    NodesScene tasks = NodesScene.on(context, rig);
    DelayScene messages = new DelayScene(context, rig);
    tasks.startLoad();
    BenchWait.pass(context.options.warmup);
    messages.awaitPunctual(PUNCTUAL_WITHIN);
    long schemaBefore = BenchSql.number(tasks.connection, SCHEMA);
    long duplicatesBefore = messages.duplicates();
    long beganMicros = LoadClock.micros();
    long beganNanos = System.nanoTime();

    rig.useNodesOf(root);
    replace("the first node", old.get(0), tasks, messages, verdict);
    long schemaAfter = BenchSql.number(tasks.connection, SCHEMA);
    rig.useNodesOf(earlier);
    replace("an old node started again", old.get(1), tasks, messages, verdict);
    BenchNodeProcess again = rig.nodes().getLast();
    rig.useNodesOf(root);
    replace("the second node", again, tasks, messages, verdict);
    replace("the third node", old.get(2), tasks, messages, verdict);

    tasks.stopLoad();
    long endedMicros = LoadClock.micros();
    LoadAccounts sent = messages.settle();
    LoadAccounts performed = tasks.settle();
    verdict
        .figures()
        .lateness(
            "messages",
            "messages late",
            messages.arrivals.lateness(beganMicros, endedMicros, _ -> true));
    verdict
        .saw("migrated from", schemaBefore)
        .saw("migrated to", schemaAfter)
        .saw(
            "pause: longest time without a start of a task",
            Unit.MILLIS,
            TaskNodeFaults.longestGapMillis(tasks.executions(), beganNanos, Long.MAX_VALUE))
        .saw("tasks", Unit.COUNT, performed.accepted())
        .saw("tasks lost", Unit.COUNT, performed.missing().lost())
        .saw("tasks performed again", Unit.COUNT, performed.duplicates())
        .saw("calls that failed say", tasks.failure())
        .saw("messages repeated", Unit.COUNT, messages.duplicates() - duplicatesBefore)
        .demand(schemaAfter >= schemaBefore, "the schema is older than before")
        .demand(performed.missing().lost() == 0, "tasks: " + performed.losses())
        .demand(performed.left() == 0, "tasks are left in the store")
        .demand(performed.early() == 0, "tasks were early")
        .account(sent);
  }

  /** SIGTERM, and a node of the present tree at the same address; all is punctual again. */
  private static void replace(
      String which,
      BenchNodeProcess node,
      NodesScene tasks,
      DelayScene messages,
      FaultVerdict verdict)
      throws SQLException {
    long since = LoadClock.micros();
    Duration stop = tasks.restart(node);
    verdict.saw("stop for " + which, Unit.MILLIS, stop.toNanos() / 1e6);
    messages.demandPunctual("after " + which, since, PUNCTUAL_WITHIN, verdict);
    BenchWait.pass(BETWEEN);
  }

  private static Path earlier(FaultContext context, Path root) throws InterruptedException {
    try {
      String commit = MeasuredTree.earlierCommit(context.options.from, root);
      context.say("building " + commit);
      return MeasuredTree.nodeOfCommit(
          commit, root, Files.createDirectories(root.resolve("target/compare")));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot build the earlier nodes", e);
    }
  }
}
