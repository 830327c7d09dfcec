package io.kairos.bench.fault;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.report.OutputOptions;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.Workplace;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench kill}: SIGKILL for one node after the other, every message accounted for. */
@Command(
    name = "kill",
    mixinStandardHelpOptions = true,
    description = {
      "Kills a node under load, many times in a row; Postgres and broker live on.",
      "Exit code 0: nothing lost or early and every takeover was seen."
    })
public final class KillCommand implements Callable<Integer> {
  @Option(names = "--times", defaultValue = "20", description = "Kills (default ${DEFAULT-VALUE}).")
  int times;

  @Option(
      names = "--nodes",
      defaultValue = "2",
      description = "Nodes that run when one is killed (default ${DEFAULT-VALUE}).")
  int nodes;

  @Mixin SceneOptions scene = new SceneOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;
  private final Progress progress = new Progress(System.err);

  @Override
  public Integer call() throws SQLException {
    try (Workplace workplace = scene.place.workplace();
        Rig rig = Rig.start(workplace, scene.place.server());
        Scene load =
            Scene.begin(
                rig, rig.newRoute(scene.load.partitions), scene.load.node(), nodes, scene.load())) {
      List<KillRounds.Kill> kills =
          new KillRounds(load).run(times, kill -> progress.say(kill.toString()));
      Scene.Accounts accounts = load.settle();
      Verdict verdict = judge(kills, accounts);
      show(kills);
      out.println(verdict);
      output.write(() -> data(kills, verdict), () -> Plots.of("Kills", load));
      return verdict.passed() ? 0 : 1;
    }
  }

  private Verdict judge(List<KillRounds.Kill> kills, Scene.Accounts accounts) {
    Verdict verdict = new Verdict("kill -9, " + times + " times, " + nodes + " nodes");
    LongSummaryStatistics first =
        kills.stream().mapToLong(KillRounds.Kill::takeoverMillis).summaryStatistics();
    LongSummaryStatistics all =
        kills.stream().mapToLong(KillRounds.Kill::punctualMillis).summaryStatistics();
    LongSummaryStatistics duplicates =
        kills.stream().mapToLong(KillRounds.Kill::duplicates).summaryStatistics();
    return verdict
        .saw("first message of the dead node", of(first))
        .saw("punctual again", of(all))
        .saw(
            "duplicates per kill",
            "mean %s, max %d"
                .formatted(Shown.decimal(duplicates.getAverage()), duplicates.getMax()))
        .demand(first.getMin() >= 0, "a takeover was not seen")
        .demand(all.getMin() >= 0, "messages did not become punctual again")
        .account(accounts);
  }

  private static String of(LongSummaryStatistics millis) {
    return "mean %s ms, min %d ms, max %d ms after the kill"
        .formatted(Shown.count(millis.getAverage()), millis.getMin(), millis.getMax());
  }

  private void show(List<KillRounds.Kill> kills) {
    Table table =
        new Table().row("kill", "held", "first after ms", "punctual after ms", "duplicates");
    kills.forEach(kill ->
        table.row(
            kill.number(),
            Shown.count(kill.held()),
            kill.takeoverMillis(),
            kill.punctualMillis(),
            kill.duplicates()));
    out.println(table);
  }

  private static Map<String, Object> data(List<KillRounds.Kill> kills, Verdict verdict) {
    Map<String, Object> data = new LinkedHashMap<>(verdict.data());
    data.put(
        "heldFirstPunctualDuplicates",
        kills.stream()
            .map(k -> List.of(k.held(), k.takeoverMillis(), k.punctualMillis(), k.duplicates()))
            .toList());
    return data;
  }
}
