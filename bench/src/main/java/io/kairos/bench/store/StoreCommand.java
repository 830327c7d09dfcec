package io.kairos.bench.store;

import io.kairos.bench.measure.StoreFigures;
import io.kairos.bench.report.OutputOptions;
import io.kairos.bench.report.Setup;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.StoreRig;
import io.kairos.bench.rig.Workplace;
import io.kairos.cli.DurationWord;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench store}: the raw loop of batched insert and delete, the floor of every figure. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    description =
        "Measures a raw loop of batched insert and delete on a Postgres with the delay queue's table.")
public final class StoreCommand implements Callable<Integer> {
  @Option(
      names = "--clients",
      defaultValue = "2",
      description = "Connections (default ${DEFAULT-VALUE}).")
  int clients;

  @Option(
      names = "--batch",
      defaultValue = "500",
      description = "Rows of one statement (default ${DEFAULT-VALUE}).")
  int batch;

  @Option(
      names = "--rows",
      defaultValue = "10000",
      description = "Rows that the table holds all the while (default ${DEFAULT-VALUE}).")
  int rows;

  @Option(
      names = "--value-bytes",
      defaultValue = "256",
      description = "Length of a value (default ${DEFAULT-VALUE}).")
  int valueBytes;

  @Option(
      names = "--warmup",
      defaultValue = "10s",
      converter = DurationWord.class,
      description = "Not measured (default ${DEFAULT-VALUE}).")
  Duration warmup = Duration.ZERO;

  @Option(
      names = "--duration",
      defaultValue = "1m",
      converter = DurationWord.class,
      description = "Measured (default ${DEFAULT-VALUE}).")
  Duration duration = Duration.ZERO;

  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;

  @Override
  public Integer call() throws SQLException {
    RawLoop.Settings settings = new RawLoop.Settings(clients, batch, rows, valueBytes);
    try (Workplace workplace = place.workplace();
        StoreRig rig = StoreRig.start(workplace);
        Connection connection = rig.connect()) {
      RawLoop.Result result = new RawLoop(settings, rig::connect, rig.pid()).run(warmup, duration);
      Map<String, Object> setup =
          Setup.facts(
              StoreFigures.settings(connection),
              connection.getMetaData().getDatabaseProductVersion(),
              "none");
      Table ground = new Table();
      setup.forEach(ground::row);
      out.println(ground);
      out.println(
          new Table()
              .row("raw insert + delete", Shown.count(result.perSecond()) + " msg/s", settings)
              .row("CPU of Postgres", Shown.decimal(result.postgresMicros()) + " µs per message"));
      output.write(() -> data(setup, result), () -> "");
      return 0;
    }
  }

  private static Map<String, Object> data(Map<String, Object> setup, RawLoop.Result result) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("setup", setup);
    data.put("settings", result.settings());
    data.put("perSecond", result.perSecond());
    data.put("postgresMicros", result.postgresMicros());
    return data;
  }
}
