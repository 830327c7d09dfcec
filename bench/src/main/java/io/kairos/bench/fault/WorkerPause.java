package io.kairos.bench.fault;

import io.kairos.bench.effect.EffectLog.Effect;
import io.kairos.bench.effect.Executions;
import io.kairos.bench.effect.FencedTable;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.Standstill;
import io.kairos.bench.rig.WorkerProcess;
import io.kairos.embedded.EmbeddedPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Thread mode: the whole JVM of a worker is stopped for longer than the lease and woken, one of two
 * workers in turn. The handlers of one stop when they are told to, those of the other do not, so
 * that its JVM halts.
 */
final class WorkerPause implements Fault {
  private static final Duration OVER_WITHIN = Duration.ofSeconds(1);
  private static final Duration JUST_BEFORE = Duration.ofMillis(100);
  private static final Duration AFTERWARDS = Duration.ofSeconds(2);

  @Override
  public String name() {
    return "task-worker-pause";
  }

  @Override
  public String about() {
    return "the JVM of a worker is stopped for longer than the lease: no stale result or fenced effect counts";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException, InterruptedException {
    Verdict verdict = new Verdict("%s, %d times".formatted(name(), context.rounds()));
    try (EffectScene scene = EffectScene.begin(context)) {
      FencedTable.create(scene.connection());
      String database = url(scene.rig().postgres());
      WorkerProcess[] workers = {
        scene.startWorker(false, database), scene.startWorker(true, database)
      };
      scene.startLoad();
      PauseLength lengths = new PauseLength();
      List<Stop> stops = new ArrayList<>();
      int halts = 0;
      for (int i = 1; i <= context.rounds(); i++) {
        int turn = i % workers.length;
        long pid = workers[turn].pid();
        scene.awaitExecution(at -> at == pid);
        long stoppedAt = System.nanoTime();
        Standstill.begin(pid);
        Waiting.pass(lengths.next());
        long wokenAt = System.nanoTime();
        Standstill.end(pid);
        stops.add(new Stop(pid, stoppedAt, wokenAt));
        Waiting.pass(AFTERWARDS);
        boolean halted = !workers[turn].isRunning();
        if (halted) {
          halts++;
          workers[turn] = scene.startWorker(turn == 1, database);
        }
        context
            .progress()
            .say("%s %d: %s".formatted(name(), i, halted ? "its JVM halted" : "it goes on"));
      }
      TaskAccounts accounts = scene.settle();
      return judge(verdict, scene, stops)
          .saw("pauses", context.rounds() + " of " + PauseLength.SHOWN + ", " + halts + " halts")
          .account(accounts);
    }
  }

  /** By the bench's clock, which is the workers'. */
  private record Stop(long pid, long stoppedAtNanos, long wokenAtNanos) {}

  private static Verdict judge(Verdict verdict, EffectScene scene, List<Stop> stops)
      throws SQLException {
    Executions executions = scene.executions();
    FencedTable.Count fenced = FencedTable.count(scene.connection());
    long staleResults = scene.endedByAStaleResult();
    double longest = 0;
    long unexplained = 0;
    for (Effect effect : executions.stale()) {
      double seconds = secondsAfterWaking(effect, stops);
      longest = Math.max(longest, seconds);
      unexplained += seconds < 0 ? 1 : 0;
    }
    return verdict
        .saw("executions", Shown.count(executions.count()))
        .saw(
            "results and heartbeats refused",
            Shown.count(scene.metric("kairos_lease_fenced_total")))
        .saw("stale results accepted", Shown.count(staleResults))
        .saw(
            "effects through the fence",
            "%s, overlapping %s"
                .formatted(Shown.count(fenced.effects()), Shown.count(fenced.overlapping())))
        .saw(
            "unfenced effects after waking",
            "%s, the last %s s after it"
                .formatted(Shown.count(executions.stale().size()), Shown.decimal(longest)))
        .demand(staleResults == 0, "a stale result was accepted")
        .demand(fenced.effects() > 0, "nothing was written through the fence")
        .demand(fenced.overlapping() == 0, "effects passed the fence after a later one")
        .demand(unexplained == 0, "effects overlapped without a pause")
        .demand(
            longest <= OVER_WITHIN.toSeconds(),
            "unfenced effects went on for " + Shown.decimal(longest) + " s after waking");
  }

  /**
   * Since the last waking of its process; zero for one whose time was taken before the stop and
   * that took place after it, negative when its process was not stopped.
   */
  private static double secondsAfterWaking(Effect effect, List<Stop> stops) {
    return stops.stream()
        .filter(stop -> stop.pid == effect.pid())
        .filter(stop -> effect.nanos() - stop.stoppedAtNanos > -JUST_BEFORE.toNanos())
        .mapToDouble(stop -> Math.max(0, (effect.nanos() - stop.wokenAtNanos) / 1e9))
        .min()
        .orElse(-1);
  }

  private static String url(EmbeddedPostgres postgres) {
    String url = postgres.jdbcUrl();
    return "%s%suser=%s&password=%s"
        .formatted(url, url.contains("?") ? "&" : "?", postgres.user(), postgres.password());
  }
}
