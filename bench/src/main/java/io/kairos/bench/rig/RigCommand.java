package io.kairos.bench.rig;

import io.kairos.bench.trial.TrialLoad;
import io.kairos.bench.trial.TrialReport;
import io.kairos.bench.trial.TrialRunner;
import java.sql.SQLException;
import picocli.CommandLine.Mixin;

/** A command that measures something on its own rig, and reports the setup. */
public abstract class RigCommand extends BenchCommand {
  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin public BenchNodeOptions node = new BenchNodeOptions();

  /** A run on a rig. */
  @FunctionalInterface
  protected interface RigBody {
    TrialReport run(BenchRig rig) throws SQLException, InterruptedException;
  }

  /** A load for the nodes of a rig. */
  @FunctionalInterface
  protected interface RigLoad {
    TrialLoad on(BenchRig rig) throws SQLException;
  }

  /** Starts the servers of the rig, without nodes. */
  protected BenchRig rig(WorkFolder folder) {
    return new BenchRig(folder, node);
  }

  /**
   * Has something done on a rig of its own, shows what came of it, and returns the exit code.
   *
   * @param name of its figures in the JSON
   */
  protected int onRig(String name, RigBody body) throws SQLException, InterruptedException {
    try (WorkFolder folder = place.folder();
        BenchRig rig = rig(folder)) {
      if (isFirst()) {
        show("setup", RunSetup.of(rig, node.toString()));
      }
      return show(name, body.run(rig));
    }
  }

  /** Starts nodes on a rig of its own, measures a load once, and returns the exit code. */
  protected int onRig(String name, int nodes, RigLoad load)
      throws SQLException, InterruptedException {
    return onRig(
        name,
        rig -> {
          rig.startNodes(nodes);
          return new TrialRunner(load.on(rig), progress).run();
        });
  }
}
