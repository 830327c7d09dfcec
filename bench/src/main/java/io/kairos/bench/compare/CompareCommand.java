package io.kairos.bench.compare;

import io.kairos.bench.compare.ComparedRun.Figures;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.FigureColumns;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ValueSpread;
import io.kairos.bench.rig.BenchCommand;
import io.kairos.bench.rig.PackagedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench compare}: an earlier commit and this tree in turns. Runs on the main thread. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the commit that bench/baseline names and the working tree in turns, each by its own bench: the delay",
      "queue at 20,000 messages a second, 60,000 tasks under way, 500 pushes a second. Prints after ÷ before with its",
      "spread: of throughput, where more is better, of p99.9 lateness and CPU per message, where less is.",
      "A run that is void ends the comparison. The baseline is checked out and built below target/compare."
    })
public final class CompareCommand extends BenchCommand {
  @Option(names = "--pairs", defaultValue = "5", description = "Runs of each side.")
  int pairs;

  @Option(
      names = "--warmup",
      defaultValue = "170s",
      description =
          "Load before each measured part: what runs once a call is compiled after 100 to 150 s.")
  Duration warmup = Duration.ZERO;

  @Option(names = "--measure", defaultValue = "30s", description = "Each measured part.")
  Duration measure = Duration.ZERO;

  @Option(
      names = "--only",
      split = ",",
      description = "These runs: ${COMPLETION-CANDIDATES} (default: all, one after the other).")
  List<ComparedRun> only = List.of(ComparedRun.values());

  @Option(
      names = "--baseline",
      description = "Compare with this commit (default: the one that bench/baseline names).")
  @Nullable String baseline;

  private record Pair(Figures before, Figures after) {
    double ratio(ToDoubleFunction<Figures> of) {
      return of.applyAsDouble(after) / of.applyAsDouble(before);
    }

    FigureColumns columns() {
      return new FigureColumns()
          .add("perSecondBefore", "before", Unit.PER_SECOND, before.perSecond())
          .add("perSecondAfter", "after", Unit.PER_SECOND, after.perSecond())
          .add("p999Before", "p99.9 before", Unit.MILLIS, before.p999Millis())
          .add("p999After", "after", Unit.MILLIS, after.p999Millis())
          .add("cpuBefore", "CPU before", Unit.MICROS, before.cpuMicros())
          .add("cpuAfter", "after", Unit.MICROS, after.cpuMicros());
    }
  }

  @Override
  protected int run() throws IOException, InterruptedException {
    Path root = PackagedNode.repository();
    Path folder = Files.createDirectories(root.resolve("target/compare"));
    String commit = MeasuredTree.earlierCommit(baseline, root);
    progress.say("building " + commit + " and the working tree, logs in " + folder);
    MeasuredTree before = MeasuredTree.ofCommit(commit, root, folder);
    MeasuredTree after = MeasuredTree.working(root, folder);
    for (ComparedRun run : only) {
      List<String> arguments = run.arguments(warmup, measure);
      List<Pair> measured = new ArrayList<>();
      for (int number = 1; number <= pairs; number++) {
        Pair pair = pair(number, before, after, run, arguments);
        measured.add(pair);
        progress.say("pair %d of %d: %s".formatted(number, pairs, pair));
      }
      show(arguments.getFirst(), figures(commit, arguments, measured));
    }
    return 0;
  }

  /**
   * In every second pair the working tree is first, so that a machine that slows down favours
   * neither.
   */
  private static Pair pair(
      int number, MeasuredTree before, MeasuredTree after, ComparedRun run, List<String> arguments)
      throws IOException, InterruptedException {
    if (number % 2 == 1) {
      Figures first = before.measure(run, arguments);
      return new Pair(first, after.measure(run, arguments));
    }
    Figures first = after.measure(run, arguments);
    return new Pair(before.measure(run, arguments), first);
  }

  private static FigureList figures(String commit, List<String> arguments, List<Pair> pairs) {
    FigureList list =
        new FigureList()
            .fact("run", String.join(" ", arguments))
            .fact("before", commit)
            .lines("pairs", pairs.stream().map(Pair::columns).toList());
    ratio(pairs, Figures::perSecond).report("throughput", "throughput", list);
    ratio(pairs, Figures::p999Millis).report("p999", "p99.9 lateness", list);
    return ratio(pairs, Figures::cpuMicros).report("cpu", "CPU of each", list);
  }

  private static ValueSpread ratio(List<Pair> pairs, ToDoubleFunction<Figures> of) {
    return ValueSpread.of(pairs.stream().map(pair -> pair.ratio(of)).toList());
  }
}
