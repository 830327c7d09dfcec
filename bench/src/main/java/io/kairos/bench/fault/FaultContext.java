package io.kairos.bench.fault;

import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.rig.BenchNodeOptions;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.bench.rig.WorkFolder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * The context of a fault: its options, and rigs that end when the fault is over. Used by the
 * fault's thread.
 */
final class FaultContext implements AutoCloseable {
  final FaultOptions options;
  final BenchNodeOptions node;
  private final PlaceOptions place;
  final ProgressLog progress;
  private final WorkFolder folder;
  private final Deque<BenchRig> rigs = new ArrayDeque<>();

  FaultContext(
      FaultOptions options, BenchNodeOptions node, PlaceOptions place, ProgressLog progress) {
    this.options = options;
    this.node = node;
    this.place = place;
    this.progress = progress;
    this.folder = place.folder();
  }

  /** A rig without nodes. */
  BenchRig startRig() {
    return startRig(folder.resolve("postgres"), Map.of());
  }

  /** A rig without nodes, with Postgres' data and settings of the fault's choice. */
  BenchRig startRig(Path postgresData, Map<String, String> postgresSettings) {
    BenchRig rig = BenchRig.start(folder, place.server(), postgresData, postgresSettings);
    rigs.push(rig);
    return rig;
  }

  /** Starts nodes as they were asked for, on a new route. */
  RouteTopics startNodes(BenchRig rig, int nodes) {
    RouteTopics topics = rig.newRoute(node.partitions);
    rig.startNodes(nodes, topics, node.settings());
    return topics;
  }

  Path resolve(String name) {
    return folder.resolve(name);
  }

  void say(String what) {
    progress.say(what);
  }

  @Override
  public void close() {
    try (folder) {
      rigs.forEach(BenchRig::close);
    }
  }
}
