package io.kairos.bench.rig;

import java.util.ArrayList;
import java.util.List;

/**
 * Changes of a run to the shipped defaults.
 *
 * @param jvmOptions further options of the node's JVM, the last of which wins
 * @param properties the node's configuration, {@code key=value}
 */
public record NodeSettings(List<String> jvmOptions, List<String> properties) {
  private static final String HEAP = "-Xmx";

  public NodeSettings {
    jvmOptions = List.copyOf(jvmOptions);
    properties = List.copyOf(properties);
  }

  /** Copies the settings with this heap size, unless they have one. */
  public NodeSettings withHeap(String size) {
    return jvmOptions.stream().anyMatch(option -> option.startsWith(HEAP))
        ? this
        : withJvmOptions(List.of(HEAP + size));
  }

  NodeSettings withJvmOptions(List<String> options) {
    List<String> more = new ArrayList<>(jvmOptions);
    more.addAll(options);
    return new NodeSettings(more, properties);
  }

  @Override
  public String toString() {
    return jvmOptions.isEmpty() && properties.isEmpty()
        ? "as shipped"
        : "as shipped, but for " + jvmOptions + " " + properties;
  }
}
