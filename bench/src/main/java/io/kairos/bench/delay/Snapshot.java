package io.kairos.bench.delay;

import io.kairos.bench.measure.ProcessorTime;
import io.kairos.bench.measure.StoreFigures;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** Everything that adds up, at one moment of a run. */
public record Snapshot(
    Instant at,
    Duration nodeTime,
    Duration brokerTime,
    Duration postgresTime,
    Duration benchTime,
    StoreFigures store) {
  /**
   * Takes one.
   *
   * @param table whose size and rows are looked at
   */
  public static Snapshot take(Rig rig, Connection connection, String table) throws SQLException {
    return new Snapshot(
        Instant.now(),
        rig.nodes().stream().map(NodeProcess::processorTime).reduce(Duration.ZERO, Duration::plus),
        ProcessorTime.ofTree(rig.broker().pid()),
        ProcessorTime.ofTree(rig.postgres().pid()),
        ProcessorTime.ofProcess(ProcessHandle.current().pid()),
        StoreFigures.read(connection, table));
  }
}
