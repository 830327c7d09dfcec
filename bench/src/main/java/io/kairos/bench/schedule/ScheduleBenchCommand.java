package io.kairos.bench.schedule;

import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.RigCommand;
import io.kairos.bench.task.TaskWorkers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bench schedules}: measures how soon very many schedules have fired. Runs on the main
 * thread.
 */
@Command(
    name = "schedules",
    mixinStandardHelpOptions = true,
    description = {
      "Stores schedules and has a node fire them; workers perform the runs, or endpoints of a pool"
          + " get them. Each scene has a",
      "store and a node of its own:",
      "  minute   very many schedules of which some are due at each whole minute",
      "  instant  all of them at every whole minute",
      "  push     so many fires a second at a pool, whose endpoints are in this process and are the"
          + " judge",
      "Fire times are compared with what arithmetic says they are: with the store's ledger, and"
          + " with the workers' own logs or what",
      "the endpoints got.",
      "What a killed node costs: bench fault schedule-node-kill. Next fire times a second: bench"
          + " jmh NextFire.",
      "Exit code 0: clean; 1: not clean, such as early or skipped; 3: void, something was lost or"
          + " doubled."
    })
public final class ScheduleBenchCommand extends RigCommand {
  private static final int EXECUTORS = 4;

  /** Minutes from one fire of a schedule of the scene minute to its next. */
  private static final int TURNS = 10;

  /** Schedules in a store of their own, and what they are due for. */
  enum Scene {
    MINUTE,
    INSTANT,
    PUSH
  }

  @Parameters(
      arity = "0..*",
      paramLabel = "SCENE",
      description = "${COMPLETION-CANDIDATES} (default: all, one after the other).")
  List<Scene> scenes = List.of(Scene.values());

  @Option(
      names = "--registered",
      defaultValue = "100000",
      description = "Schedules of the scene minute; each minute a tenth of them is due.")
  int registered;

  @Option(
      names = "--at-once",
      defaultValue = "60000",
      description = "Schedules of the scene instant.")
  int atOnce;

  @Option(
      names = "--warmup",
      defaultValue = "2",
      description = "Whole minutes before the measured ones.")
  int warmup;

  @Option(names = "--minutes", defaultValue = "3", description = "Whole minutes that are measured.")
  int minutes;

  @Option(
      names = "--fires",
      defaultValue = "500",
      description = "Fires a second of the scene push.")
  int fires;

  @Option(
      names = "--spread",
      defaultValue = "1s",
      description =
          "Fire times are whole seconds: over how long the scene push scatters the runs of each; 0s"
              + " has all of them due at once.")
  Duration spread = Duration.ZERO;

  @Override
  protected int run() throws SQLException, InterruptedException {
    require(registered % TURNS == 0, "--registered must be a multiple of " + TURNS);
    require(minutes > 0, "--minutes must be at least 1");
    require(fires > 0, "--fires must be at least 1");
    require(
        spread.toMillis() <= FirePlan.Unit.SECOND.length().toMillis(),
        "--spread must be at most 1s: a second later the next runs are due");
    int exitCode = 0;
    for (Scene scene : scenes) {
      String name = scene.name().toLowerCase(Locale.ROOT);
      exitCode = Math.max(exitCode, onRig(name, 1, rig -> trial(scene, rig)));
    }
    return exitCode;
  }

  private ScheduleTrial trial(Scene scene, BenchRig rig) throws SQLException {
    return switch (scene) {
      case MINUTE -> firing(rig, registered / TURNS, TURNS);
      case INSTANT -> firing(rig, atOnce, 1);
      case PUSH ->
          new PushingTrial(
              rig,
              progress,
              rounds(fires, PushingTrial.TURN, FirePlan.Unit.SECOND, PushingTrial.TURN),
              node.valueBytes,
              spread);
    };
  }

  private FiringTrial firing(BenchRig rig, int dueAtOnce, int period) throws SQLException {
    return new FiringTrial(
        rig,
        progress,
        rounds(dueAtOnce, period, FirePlan.Unit.MINUTE, 1),
        node.valueBytes,
        TaskWorkers.start(rig, 1, EXECUTORS));
  }

  private ScheduleTrial.Rounds rounds(
      int dueAtOnce, int period, FirePlan.Unit unit, int roundsOfAMinute) {
    FirePlan plan = ScheduleTrial.plan(dueAtOnce, period, unit);
    return new ScheduleTrial.Rounds(plan, warmup * roundsOfAMinute, minutes * roundsOfAMinute);
  }
}
