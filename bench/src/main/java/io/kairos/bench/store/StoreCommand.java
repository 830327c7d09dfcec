package io.kairos.bench.store;

import io.kairos.bench.rig.RigCommand;
import java.sql.SQLException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench store}: the raw loop of batched insert and delete, the floor of every figure. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    description =
        "Measures a raw loop of batched insert and delete on a Postgres with the delay queue's table.")
public final class StoreCommand extends RigCommand {
  @Option(names = "--clients", defaultValue = "2", description = "Connections.")
  int clients;

  @Option(names = "--batch", defaultValue = "500", description = "Rows of one statement.")
  int batch;

  @Option(
      names = "--rows",
      defaultValue = "10000",
      description = "Rows that the table holds all the while.")
  int rows;

  @Option(names = "--warmup", defaultValue = "10s", description = "Not measured.")
  Duration warmup = Duration.ZERO;

  @Option(names = "--duration", defaultValue = "1m", description = "Measured.")
  Duration duration = Duration.ZERO;

  @Override
  protected int run() throws SQLException, InterruptedException {
    RawLoop.Settings settings =
        new RawLoop.Settings(clients, batch, rows, node.valueBytes, warmup, duration);
    return onRig("result", rig -> trial(new RawLoop(rig, settings)));
  }
}
