package io.kairos.bench.push;

import io.kairos.bench.delay.LoadOptions;
import io.kairos.bench.delay.Progress;
import io.kairos.bench.measure.StoreFigures;
import io.kairos.bench.report.OutputOptions;
import io.kairos.bench.report.Setup;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.bench.rig.Workplace;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench push}: how many tasks a second reach a pool. Runs on the main thread. */
@Command(
    name = "push",
    mixinStandardHelpOptions = true,
    description = {
      "Schedules tasks over gRPC for a pool of HTTP endpoints, which are in this process, and has one node push them.",
      "The receiver is the judge.",
      "Exit code 0: clean; 1: not clean, such as early; 3: void, something was lost or pushed twice."
    })
public final class PushCommand implements Callable<Integer> {
  @Mixin PushOptions options = new PushOptions();
  @Mixin LoadOptions load = new LoadOptions();
  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;
  private final Progress progress = new Progress(System.err);

  @Override
  public Integer call() throws SQLException, InterruptedException {
    try (Workplace workplace = place.workplace();
        Rig rig = Rig.start(workplace, place.server())) {
      RouteTopics topics = rig.newRoute(load.partitions);
      NodeProcess node = rig.startNode(topics, load.node());
      Map<String, Object> setup = setup(rig);
      Table ground = new Table();
      setup.forEach(ground::row);
      out.println(ground);
      PushResult result = new PushRun(rig, node, progress, options, load.valueBytes).run();
      out.println(result.table());
      output.write(() -> Map.of("setup", setup, "result", result.data()), result::plot);
      return result.exitCode();
    }
  }

  private Map<String, Object> setup(Rig rig) throws SQLException {
    try (Connection connection = rig.connect()) {
      return Setup.facts(
          StoreFigures.settings(connection),
          connection.getMetaData().getDatabaseProductVersion(),
          load.node().toString());
    }
  }
}
