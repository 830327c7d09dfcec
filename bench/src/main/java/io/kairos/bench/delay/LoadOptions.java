package io.kairos.bench.delay;

import io.kairos.bench.rig.NodeSettings;
import io.kairos.cli.DurationWord;
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
      split = ",",
      description =
          "adaptive, or a fixed timing advance such as 50ms (default: as shipped). bench delay takes several, separated by"
              + " commas, measures one after the other and shows them side by side.")
  List<String> advances = new ArrayList<>();

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

  /** How the nodes are to be run, where one way is all there can be. */
  public NodeSettings node() {
    List<NodeSettings> all = nodes();
    if (all.size() > 1) {
      throw new IllegalArgumentException("only bench delay takes more than one --advance");
    }
    return all.getFirst();
  }

  /** How the nodes are to be run, one for each advance that was asked for. */
  List<NodeSettings> nodes() {
    return advances.isEmpty()
        ? List.of(common())
        : advances.stream()
            .map(advance -> common().with("delay.firing.advance=" + advance))
            .toList();
  }

  private NodeSettings common() {
    NodeSettings settings = NodeSettings.shipped().withJvmOptions(nodeJvm);
    if (nodeHeap != null) {
      settings = settings.withHeap(nodeHeap);
    }
    if (horizon != null) {
      settings = settings.with("delay.claiming.horizon=" + horizon.toMillis() + "ms");
    }
    for (String property : nodeSet) {
      settings = settings.with(property);
    }
    return settings;
  }
}
