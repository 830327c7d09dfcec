package io.kairos.bench.schedule;

import io.kairos.bench.delay.LoadOptions;
import io.kairos.bench.delay.Progress;
import io.kairos.bench.measure.StoreFigures;
import io.kairos.bench.report.OutputOptions;
import io.kairos.bench.report.Setup;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.Workplace;
import io.kairos.cli.DurationWord;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench schedules}: how soon very many schedules have fired. Runs on the main thread. */
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
      "  idle     what they cost while none is due, against none at all",
      "Fire times are compared with what arithmetic says they are: with the store's ledger, and"
          + " with the workers' own logs or what",
      "the endpoints got.",
      "What a killed node costs: bench fault schedule-node-kill. Next fire times a second: bench"
          + " jmh NextFire.",
      "Exit code 0: clean; 1: not clean, such as early or skipped; 3: void, something was lost or"
          + " doubled."
    })
public final class SchedulesCommand implements Callable<Integer> {
  private static final List<String> SCENES = List.of("minute", "instant", "push", "idle");

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..*",
      paramLabel = "SCENE",
      description = "minute, instant, push, idle (default: all, one after the other).")
  List<String> names = new ArrayList<>();

  @Option(
      names = "--registered",
      defaultValue = "100000",
      description = "Schedules of the scenes minute and idle (default ${DEFAULT-VALUE}).")
  int registered;

  @Option(
      names = "--due",
      defaultValue = "10000",
      description = "Of these are due at each minute (default ${DEFAULT-VALUE}).")
  int due;

  @Option(
      names = "--at-once",
      defaultValue = "60000",
      description = "Schedules of the scene instant (default ${DEFAULT-VALUE}).")
  int atOnce;

  @Option(
      names = "--warmup",
      defaultValue = "2",
      description = "Whole minutes before the measured ones (default ${DEFAULT-VALUE}).")
  int warmup;

  @Option(
      names = "--minutes",
      defaultValue = "3",
      description = "Whole minutes that are measured (default ${DEFAULT-VALUE}).")
  int minutes;

  @Option(
      names = "--fires",
      defaultValue = "500",
      description = "Fires a second of the scene push (default ${DEFAULT-VALUE}).")
  int fires;

  @Option(
      names = "--spread",
      defaultValue = "1s",
      converter = DurationWord.class,
      description =
          "Fire times are whole seconds: over how long the scene push scatters the runs of each; 0s"
              + " has all of them due at once (default ${DEFAULT-VALUE}).")
  Duration spread = Duration.ZERO;

  @Option(
      names = "--idle-for",
      defaultValue = "2m",
      converter = DurationWord.class,
      description = "How long to watch an idle node, three times (default ${DEFAULT-VALUE}).")
  Duration idleFor = Duration.ZERO;

  @Option(
      names = "--settle",
      defaultValue = "30s",
      converter = DurationWord.class,
      description = "Before each of these times (default ${DEFAULT-VALUE}).")
  Duration settle = Duration.ZERO;

  @Option(
      names = "--workers",
      defaultValue = "1",
      description = "Worker processes (default ${DEFAULT-VALUE}).")
  int workers;

  @Option(
      names = "--executors",
      defaultValue = "4",
      description = "Threads that perform runs in each (default ${DEFAULT-VALUE}).")
  int executors;

  @Mixin LoadOptions load = new LoadOptions();
  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;
  private final Progress progress = new Progress(System.err);

  @Override
  public Integer call() throws SQLException {
    List<String> scenes = chosen();
    Map<String, Object> data = new LinkedHashMap<>();
    int exitCode = 0;
    for (String scene : scenes) {
      try (Workplace workplace = place.workplace();
          Rig rig = Rig.start(workplace, place.server())) {
        rig.startNode(rig.newRoute(load.partitions), load.node());
        if (data.isEmpty()) {
          Map<String, Object> setup = setup(rig);
          Table ground = new Table();
          setup.forEach(ground::row);
          out.println(ground);
          data.put("setup", setup);
        }
        SceneResult result = run(scene, rig, workplace);
        out.println("scene " + scene);
        out.println(result.table());
        data.put(scene, result.data());
        exitCode = Math.max(exitCode, result.exitCode());
      }
    }
    output.write(() -> data, () -> "");
    return exitCode;
  }

  private List<String> chosen() {
    names.stream()
        .filter(name -> !SCENES.contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw new ParameterException(
              spec.commandLine(),
              "there is no scene '" + name + "'; there are " + String.join(", ", SCENES));
        });
    require(
        due > 0 && registered % due == 0,
        "--registered must be a multiple of --due: all schedules are alike");
    require(minutes > 0, "--minutes must be at least 1");
    require(fires > 0, "--fires must be at least 1");
    require(
        spread.toMillis() <= FirePlan.Unit.SECOND.length().toMillis(),
        "--spread must be at most 1s: a second later the next runs are due");
    return names.isEmpty() ? SCENES : names;
  }

  private void require(boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  private SceneResult run(String scene, Rig rig, Workplace workplace) throws SQLException {
    return switch (scene) {
      case "minute" -> fire(rig, workplace, due, registered / due);
      case "instant" -> fire(rig, workplace, atOnce, 1);
      case "push" ->
          new PushingRun(rig, progress)
              .run(new PushingRun.Settings(fires, spread, warmup, minutes, load.valueBytes));
      default -> new IdleRun(rig, progress).run(registered, load.valueBytes, settle, idleFor);
    };
  }

  private SceneResult fire(Rig rig, Workplace workplace, int dueAtOnce, int period)
      throws SQLException {
    return new FiringRun(rig, workplace, progress)
        .run(
            new FiringRun.Settings(
                dueAtOnce, period, warmup, minutes, load.valueBytes, workers, executors));
  }

  private Map<String, Object> setup(Rig rig) throws SQLException {
    try (Connection connection = rig.connect()) {
      return Setup.facts(
          StoreFigures.settings(connection),
          connection.getMetaData().getDatabaseProductVersion(),
          load.node() + ", one node");
    }
  }
}
