package io.kairos.bench.fault;

import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.graph.GraphEvent;
import io.kairos.bench.graph.GraphJudge;
import io.kairos.bench.graph.GraphJudge.Edge;
import io.kairos.bench.graph.GraphLoad;
import io.kairos.bench.graph.GraphTables;
import io.kairos.bench.graph.GraphWorkerMain;
import io.kairos.bench.graph.LimitWatch;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.observe.JsonLines;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.client.KairosClient;
import io.kairos.domain.task.TaskState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * SIGKILL for one of three nodes or one of three workers, again and again, while graphs of random
 * shapes are scheduled and performed, half of them under limits by key: no successor is missing,
 * early, or readied twice, and no limit is exceeded or counted wrong.
 */
final class GraphKill {
  private static final int NODES = 3;
  private static final int WORKERS = 3;
  private static final int EXECUTORS = 4;

  /** Longest time between a start and the next kill, and between a kill and the next start. */
  private static final int LONGEST_MILLIS = 5_000;

  /** Lease, some backoffs, and ends that a step tells from level to level. */
  private static final Duration QUIET = Duration.ofSeconds(40);

  private static final Duration LOOK_EVERY = Duration.ofMillis(500);
  private static final int MOST_SHOWN = 5;

  /** So many rounds kill of both kinds, but for one seed in 512. */
  private static final int ROUNDS_OF_BOTH = 10;

  private final FaultContext context;
  private final BenchRig rig;
  private final Path record;
  private final List<String> addresses;
  private final List<BenchProcess> workers = new ArrayList<>();
  private final SplittableRandom random;
  private final long seed;
  private int workersStarted;
  private int nodesKilled;
  private int workersKilled;

  GraphKill(FaultContext context) {
    this.context = context;
    seed = context.options.seed == null ? new SplittableRandom().nextInt() : context.options.seed;
    random = new SplittableRandom(seed);
    rig = context.startRigWithoutBroker();
    rig.startNodes(NODES);
    addresses = List.of(rig.addresses());
    record = context.resolve("attempts");
    for (int i = 0; i < WORKERS; i++) {
      startWorker();
    }
  }

  private void startWorker() {
    workers.add(
        rig.keep(
            BenchProcess.worker(
                GraphWorkerMain.class,
                new GraphWorkerMain.Settings(record, EXECUTORS, addresses),
                context.resolve("graph-worker-" + ++workersStarted + ".log"))));
  }

  void happen(FaultVerdict verdict) throws SQLException, InterruptedException {
    context.say("seed " + seed);
    KairosClient client = rig.keep(KairosClient.connect(addresses.toArray(String[]::new)));
    LimitWatch limits = rig.keep(LimitWatch.start(client, rig.connect()));
    GraphLoad load = rig.keep(new GraphLoad(client, seed, context.options.rate).start());
    BenchWait.pass(context.options.warmup);
    for (int i = 1; i <= context.options.rounds; i++) {
      String killed = random.nextBoolean() ? killNode() : killWorker();
      context.say("%d: %s, %d tasks".formatted(i, killed, load.accepted().size()));
      passSome();
    }
    load.stop();
    settle();
    workers.forEach(BenchProcess::stop);
    report(load, limits.stop(), verdict);
  }

  private String killNode() {
    List<BenchNodeProcess> nodes = rig.nodes();
    BenchNodeProcess victim = nodes.get(random.nextInt(nodes.size()));
    victim.kill();
    nodesKilled++;
    passSome();
    rig.replaceNode(victim);
    return victim.name();
  }

  private String killWorker() {
    BenchProcess victim = workers.remove(random.nextInt(workers.size()));
    victim.kill();
    workersKilled++;
    passSome();
    startWorker();
    return "a worker";
  }

  private void passSome() {
    BenchWait.pass(Duration.ofMillis(random.nextInt(LONGEST_MILLIS)));
  }

  /** Some tasks wait for ever: behind one that has failed and blocks them. */
  private void settle() throws SQLException {
    Connection connection = rig.connect();
    long last = Long.MAX_VALUE;
    for (long since = System.nanoTime();
        last > 0 && System.nanoTime() - since < QUIET.toNanos(); ) {
      BenchWait.pass(LOOK_EVERY);
      long left = TaskStoreCount.unfinished(connection);
      if (left != last) {
        last = left;
        since = System.nanoTime();
      }
    }
  }

  private void report(GraphLoad load, LimitWatch.Seen limits, FaultVerdict verdict)
      throws SQLException {
    Connection connection = rig.connect();
    GraphJudge judge = new GraphJudge();
    AtomicInteger attempts = new AtomicInteger();
    try {
      new JsonLines.Tail<>(record, GraphEvent.class)
          .forEachNew(event -> {
            judge.saw(event);
            if (event.kind() == GraphEvent.Kind.BEGAN) {
              attempts.incrementAndGet();
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<TaskState, Integer> states = GraphTables.read(connection, judge);
    Set<Edge> stored = GraphTables.edges(connection);
    load.asked().forEach(cancel -> judge.cancelled(cancel.task(), cancel.withSuccessors()));
    judge.judge(load.accepted(), load.edges());
    long edgesMissing = load.edges().stream().filter(edge -> !stored.contains(edge)).count();
    verdict
        .saw("seed", seed)
        .saw("nodes killed", Unit.COUNT, nodesKilled)
        .saw("workers killed", Unit.COUNT, workersKilled)
        .saw("graphs", Unit.COUNT, load.graphs())
        .saw("tasks", Unit.COUNT, load.accepted().size())
        .saw("edges", Unit.COUNT, load.edges().size())
        .saw("cancels", Unit.COUNT, load.cancels())
        .saw("attempts", Unit.COUNT, attempts.get())
        .saw("ended", states)
        .saw("edges missing", Unit.COUNT, edgesMissing)
        .saw("successors missing", Unit.COUNT, judge.missing().size())
        .saw("early", Unit.COUNT, judge.early().size())
        .saw("readied twice", Unit.COUNT, judge.twice().size())
        .saw("looks at limits", Unit.COUNT, limits.looks())
        .saw("limits used up", Unit.COUNT, limits.full())
        .saw("most tasks in line", Unit.COUNT, limits.mostWaiting())
        .saw("limits exceeded", Unit.COUNT, limits.exceeded())
        .saw("limits miscounted", Unit.COUNT, limits.miscounted())
        .saw("left in line", Unit.COUNT, limits.left())
        .demand(nodesKilled + workersKilled > 0, "nothing was killed")
        .demand(
            context.options.rounds < ROUNDS_OF_BOTH || (nodesKilled > 0 && workersKilled > 0),
            "only nodes, or only workers, were killed: take another seed")
        .demand(load.graphs() > 0, "no graph was accepted")
        .demand(!load.edges().isEmpty(), "no graph has an edge")
        .demand(attempts.get() > 0, "nothing was performed")
        .demand(load.failure() == null, "a caller ended: " + load.failure())
        .demand(edgesMissing == 0, "edges are not in the store")
        .demand(judge.missing().isEmpty(), "missing: " + some(judge.missing()))
        .demand(judge.early().isEmpty(), "early: " + some(judge.early()))
        .demand(judge.twice().isEmpty(), "twice: " + some(judge.twice()))
        .demand(limits.mostWaiting() > 0, "no task has waited for a limit")
        .demand(limits.exceeded() == 0, "more tasks held a lease than their limit allows")
        .demand(limits.miscounted() == 0, "limits have counted wrong")
        .demand(limits.left() == 0, "tasks stand in line though nothing runs");
  }

  private static List<String> some(List<String> lines) {
    return lines.subList(0, Math.min(MOST_SHOWN, lines.size()));
  }
}
