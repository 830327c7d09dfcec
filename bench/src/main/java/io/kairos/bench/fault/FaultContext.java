package io.kairos.bench.fault;

import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.rig.BenchNodeOptions;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.RigServers;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.bench.site.ThreeSites;
import io.kairos.embedded.PostgresOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The context of a fault: its options, and the rig, which ends when the fault is over. Used by the
 * fault's thread.
 */
final class FaultContext implements AutoCloseable {
  final FaultOptions options;
  final BenchNodeOptions node;
  private final ProgressLog progress;
  private final String fault;
  private final WorkFolder folder;
  private @Nullable BenchRig rig;

  FaultContext(
      String fault,
      FaultOptions options,
      BenchNodeOptions node,
      WorkFolder folder,
      ProgressLog progress) {
    this.fault = fault;
    this.options = options;
    this.node = node;
    this.folder = folder;
    this.progress = progress;
  }

  /** Starts the rig of the fault, without nodes. */
  BenchRig startRig() {
    return startRig(PostgresOptions.in(folder.resolve("postgres")));
  }

  /** Starts the rig of the fault, without nodes, on a Postgres of its choice. */
  BenchRig startRig(PostgresOptions postgres) {
    BenchRig started = new BenchRig(folder, node, postgres);
    rig = started;
    return started;
  }

  /** Starts a rig on servers of the fault's choice, without nodes. */
  BenchRig startRig(RigServers servers) {
    BenchRig started = new BenchRig(folder, node, servers);
    rig = started;
    return started;
  }

  /** Starts three sites, which a rig is to have. */
  ThreeSites startSites() throws SQLException {
    return new ThreeSites(folder);
  }

  /** Starts the rig of the fault with nodes that are ready. */
  BenchRig startNodes(int nodes) {
    BenchRig started = startRig();
    started.startNodes(nodes);
    return started;
  }

  Path resolve(String name) {
    return folder.resolve(name);
  }

  void say(String what) {
    progress.say(fault + ": " + what);
  }

  @Override
  public void close() {
    try (folder) {
      if (rig != null) {
        rig.close();
      }
    }
  }
}
