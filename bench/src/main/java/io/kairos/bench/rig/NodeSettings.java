package io.kairos.bench.rig;

import java.util.ArrayList;
import java.util.List;

/**
 * What a run changes of the shipped defaults.
 *
 * @param heap the node's {@code -Xmx}, as the JVM spells it; empty for the shipped one
 * @param jvmOptions further options of the node's JVM
 * @param properties the node's configuration, {@code key=value}
 */
public record NodeSettings(String heap, List<String> jvmOptions, List<String> properties) {
  public NodeSettings {
    jvmOptions = List.copyOf(jvmOptions);
    properties = List.copyOf(properties);
  }

  /** As shipped. */
  public static NodeSettings shipped() {
    return new NodeSettings("", List.of(), List.of());
  }

  public NodeSettings withHeap(String newHeap) {
    return new NodeSettings(newHeap, jvmOptions, properties);
  }

  public NodeSettings with(String property) {
    List<String> more = new ArrayList<>(properties);
    more.add(property);
    return new NodeSettings(heap, jvmOptions, more);
  }

  public NodeSettings withJvmOptions(List<String> options) {
    List<String> more = new ArrayList<>(jvmOptions);
    more.addAll(options);
    return new NodeSettings(heap, more, properties);
  }
}
