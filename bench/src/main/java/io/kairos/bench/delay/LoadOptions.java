package io.kairos.bench.delay;

import io.kairos.bench.option.DurationWord;
import io.kairos.bench.rig.NodeSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say how a node is run; what is not given stays as shipped. */
public final class LoadOptions {
  @Option(
      names = "--value-bytes",
      defaultValue = "256",
      description = "Length of a message's value (default ${DEFAULT-VALUE}).")
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
          "How far ahead the node claims; 0s makes every message take the ready update (default: as shipped).")
  @Nullable Duration horizon;

  @Option(
      names = "--advance",
      description = "adaptive, or a fixed timing advance such as 50ms (default: as shipped).")
  @Nullable String advance;

  @Option(
      names = "--node-heap",
      description = "The node's -Xmx, for example 512m (default: as shipped).")
  @Nullable String nodeHeap;

  @Option(
      names = "--node-set",
      description = "Further configuration of the node, key=value; may be repeated.")
  List<String> nodeSet = new ArrayList<>();

  @Option(names = "--node-jvm", description = "Further option of the node's JVM; may be repeated.")
  List<String> nodeJvm = new ArrayList<>();

  /** How the nodes are to be run. */
  public NodeSettings node() {
    NodeSettings settings = NodeSettings.shipped().withJvmOptions(nodeJvm);
    if (nodeHeap != null) {
      settings = settings.withHeap(nodeHeap);
    }
    if (horizon != null) {
      settings = settings.with("delay.claiming.horizon=" + horizon.toMillis() + "ms");
    }
    if (advance != null) {
      settings = settings.with("delay.firing.advance=" + advance);
    }
    for (String property : nodeSet) {
      settings = settings.with(property);
    }
    return settings;
  }
}
