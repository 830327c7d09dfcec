package io.kairos.bench.rig;

import io.kairos.bench.trial.TrialLoad;
import io.kairos.bench.trial.TrialReport;
import io.kairos.bench.trial.TrialRunner;
import java.sql.SQLException;
import picocli.CommandLine.Mixin;

/** A command that measures something on a rig of its own, and says what that stands on. */
public abstract class RigCommand extends BenchCommand {
  @Mixin protected BenchNodeOptions node = new BenchNodeOptions();

  /** A run on a rig. */
  @FunctionalInterface
  protected interface RigBody {
    TrialReport run(BenchRig rig) throws SQLException, InterruptedException;
  }

  /**
   * Has something done on a rig of its own, shows what came of it, and returns the exit code.
   *
   * @param name of its figures in the JSON
   */
  protected int onRig(String name, RigBody body) throws SQLException, InterruptedException {
    try (WorkFolder folder = place.folder();
        BenchRig rig = BenchRig.start(folder, place.server())) {
      if (isFirst()) {
        show("setup", RunSetup.of(rig, node.settings().toString()));
      }
      return show(name, body.run(rig));
    }
  }

  /** Measures a load once. */
  protected TrialReport trial(TrialLoad load) throws SQLException, InterruptedException {
    return TrialRunner.run(load, progress);
  }
}
