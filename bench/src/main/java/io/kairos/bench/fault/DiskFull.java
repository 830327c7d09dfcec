package io.kairos.bench.fault;

import io.kairos.bench.measure.StoredMessages;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.SmallDisk;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The disk of Postgres is full for a while: nothing is acknowledged that is not stored, nothing is
 * lost, and it goes on when there is room again. Needs root, for a small file system in memory.
 */
final class DiskFull implements Fault {
  private static final int MEBIBYTES = 640;
  private static final Duration BEFORE = Duration.ofSeconds(8);
  private static final Duration PUNCTUAL = Duration.ofMillis(500);

  /** Little log, so that the rest of the small disk is the table's. */
  private static final Map<String, String> SETTINGS =
      Map.of("max_wal_size", "192MB", "min_wal_size", "80MB", "shared_buffers", "64MB");

  @Override
  public String name() {
    return "disk-full";
  }

  @Override
  public String about() {
    return "the disk of Postgres is full for a while (needs root)";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException {
    Optional<SmallDisk> mounted =
        SmallDisk.mount(context.workplace().resolve("small-disk"), MEBIBYTES);
    if (mounted.isEmpty()) {
      return Verdict.skipped(name(), "a small file system cannot be mounted here: run as root");
    }
    Verdict verdict = new Verdict("disk-full for " + Shown.duration(context.outage()));
    try (SmallDisk disk = mounted.get();
        Rig rig =
            Rig.start(context.workplace(), context.server(), disk.resolve("postgres"), SETTINGS);
        Scene scene =
            Scene.begin(
                rig, rig.newRoute(context.partitions()), context.settings(), 2, context.load())) {
      scene.goOn(BEFORE);
      List<NodeProcess> nodes = scene.nodes();
      disk.fill();
      context.progress().say("disk-full: no byte is left");
      scene.goOn(context.outage());
      verdict.saw("taken in when the disk had been full for a while", takenIn(rig, scene));
      disk.free();
      if (!rig.postgres().isRunning()) {
        rig.postgres().restart();
        verdict.saw("Postgres", "had given up and was started again, as its supervisor would");
      }
      context.progress().say("disk-full: there is room again");
      boolean punctual =
          scene.awaitPunctual(PUNCTUAL, Duration.ofMinutes(3).plus(context.outage()));
      verdict.demand(punctual, "messages did not become punctual again");
      verdict.demand(scene.nodes().equals(nodes), "a node did not survive");
      return verdict.account(scene.settle());
    }
  }

  private static String takenIn(Rig rig, Scene scene) {
    try (Connection connection = rig.connect()) {
      return Shown.count(new StoredMessages(connection, scene.topics().route()).takenIn());
    } catch (SQLException | IllegalStateException e) {
      return "Postgres does not answer";
    }
  }
}
