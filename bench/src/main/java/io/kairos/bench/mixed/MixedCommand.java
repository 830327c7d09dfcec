package io.kairos.bench.mixed;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchCommand;
import io.kairos.bench.rig.BenchNodeOptions;
import io.kairos.bench.rig.PlaceOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench fault mixed}: a long run in parts, and the verdict on its history. */
@Command(
    name = "mixed",
    mixinStandardHelpOptions = true,
    description = {
      "Faults of all kinds in a random order while all doors are in use, written as a history, which"
          + " is then judged.",
      "Run again, it goes on with the first part that is not complete. Exit code 0: no rule is"
          + " broken."
    })
public final class MixedCommand extends BenchCommand {
  private static final long MOST_SEED = 1_000_000_000;

  @Option(names = "--parts", defaultValue = "6", description = "Number of parts.")
  int parts;

  @Option(names = "--into", required = true, description = "Folder of the history.")
  Path into = Path.of("");

  @Option(
      names = "--seed",
      description =
          "Decides the faults and their order (default: that of the history, or a new one).")
  @Nullable Long seed;

  @Option(names = "--check", description = "Run nothing, only judge the history.")
  boolean check;

  @Mixin MixedOptions options = new MixedOptions();
  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin BenchNodeOptions node = new BenchNodeOptions();

  @Override
  protected int run() throws IOException, SQLException, InterruptedException {
    MixedParts history = new MixedParts(into, parts);
    if (!check) {
      long chosen = chosenSeed(history.check().seed());
      System.out.println("seed " + chosen);
      history.run((part, file) -> {
        progress.say("mixed: part " + part + " of " + parts);
        MixedRun.run(new MixedPlan(chosen, part), chosen, file, options, node, place, progress);
      });
    }
    MixedChecker checker = history.check();
    FigureList figures = new FigureList();
    checker.report(figures);
    RunVerdict verdict = new RunVerdict();
    checker.judge(verdict);
    System.out.println((verdict.isClean() ? "PASS  mixed" : "FAIL  mixed: ") + verdict.problems());
    show("mixed", figures.only("problems", verdict.problems()));
    return verdict.isClean() ? 0 : 1;
  }

  private long chosenSeed(OptionalLong former) {
    Long asked = seed;
    require(
        asked == null || former.isEmpty() || former.getAsLong() == asked,
        "--seed: the history in "
            + into
            + " has another seed; leave the option out, or name"
            + " another folder");
    return asked == null
        ? former.orElseGet(() -> new SplittableRandom().nextLong(MOST_SEED))
        : asked;
  }
}
