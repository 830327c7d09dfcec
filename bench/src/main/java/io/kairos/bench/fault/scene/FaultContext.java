package io.kairos.bench.fault.scene;

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
public final class FaultContext implements AutoCloseable {
  public final FaultOptions options;
  public final BenchNodeOptions node;
  private final ProgressLog progress;
  private final String fault;
  private final WorkFolder folder;
  private @Nullable BenchRig rig;

  public FaultContext(
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
  public BenchRig startRig() {
    return startRig(PostgresOptions.in(folder.resolve("postgres")));
  }

  /** Starts the rig of the fault, without nodes and without a broker. */
  public BenchRig startRigWithoutBroker() {
    BenchRig started = BenchRig.withoutBroker(folder, node);
    rig = started;
    return started;
  }

  /** Starts the rig of the fault, without nodes, on a Postgres of its choice. */
  public BenchRig startRig(PostgresOptions postgres) {
    BenchRig started = new BenchRig(folder, node, postgres);
    rig = started;
    return started;
  }

  /** Starts a rig on servers of the fault's choice, without nodes. */
  public BenchRig startRig(RigServers servers) {
    BenchRig started = new BenchRig(folder, node, servers);
    rig = started;
    return started;
  }

  /** Starts three sites, which a rig is to have. */
  public ThreeSites startSites() throws SQLException {
    return new ThreeSites(folder);
  }

  /** Starts the rig of the fault with nodes that are ready. */
  public BenchRig startNodes(int nodes) {
    BenchRig started = startRig();
    started.startNodes(nodes);
    return started;
  }

  public Path resolve(String name) {
    return folder.resolve(name);
  }

  public void say(String what) {
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
