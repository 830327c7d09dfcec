package io.kairos.bench.rig;

import io.kairos.cli.DurationWord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say how nodes are run; what is not given stays as shipped. */
public final class NodeOptions {
  @Option(
      names = "--value-bytes",
      defaultValue = "256",
      description = "Length of a message's value or a task's payload (default ${DEFAULT-VALUE}).")
  public int valueBytes;

  @Option(
      names = "--partitions",
      defaultValue = "4",
      description = "Partitions of the input and of the output topic (default ${DEFAULT-VALUE}).")
  public int partitions;

  @Option(
      names = "--horizon",
      converter = DurationWord.class,
      description =
          "How far ahead a node claims; 0s makes every message take the ready update (default: as shipped).")
  @Nullable Duration horizon;

  @Option(
      names = "--advance",
      description = "adaptive, or a fixed timing advance such as 50ms (default: as shipped).")
  @Nullable String advance;

  @Option(
      names = "--node-heap",
      description = "The nodes' -Xmx, for example 512m (default: as shipped).")
  @Nullable String nodeHeap;

  @Option(
      names = "--node-set",
      description = "Further configuration of the nodes, key=value; may be repeated.")
  List<String> nodeSet = new ArrayList<>();

  @Option(names = "--node-jvm", description = "Further option of the nodes' JVMs; may be repeated.")
  List<String> nodeJvm = new ArrayList<>();

  /** How the nodes are to be run. */
  public NodeSettings settings() {
    List<String> properties = new ArrayList<>();
    if (advance != null) {
      properties.add("delay.firing.advance=" + advance);
    }
    if (horizon != null) {
      properties.add("delay.claiming.horizon=" + horizon.toMillis() + "ms");
    }
    properties.addAll(nodeSet);
    return new NodeSettings(nodeHeap == null ? "" : nodeHeap, nodeJvm, properties);
  }
}
