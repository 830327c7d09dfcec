package io.kairos.bench.rig;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for running nodes; options that are left out have the shipped values. */
public final class BenchNodeOptions {
  @Option(
      names = "--value-bytes",
      defaultValue = "256",
      description = "Length of a message's value or a task's payload.")
  public int valueBytes;

  @Option(
      names = "--partitions",
      defaultValue = "4",
      description = "Partitions of the input and of the output topic.")
  public int partitions;

  @Option(
      names = "--node-set",
      description =
          "Further configuration of the nodes, such as delay.claiming.horizon=0s; may be repeated.")
  Map<String, String> properties = new LinkedHashMap<>();

  @Option(
      names = "--node-jvm",
      description = "Further option of the nodes' JVMs, such as -Xmx512m; may be repeated.")
  List<String> jvmOptions = new ArrayList<>();

  /** How clients and workers reach the nodes. */
  NodeAccess access = NodeAccess.PLAIN;

  /** Lets the nodes that are started from now on speak TLS, and this process trust them. */
  public void speak(BenchTls byNodes) {
    speakTls(byNodes.access(), byNodes.settings());
  }

  /**
   * Lets the nodes that are started from now on speak TLS, and clients reach them by these files.
   */
  public void speakTls(NodeAccess byCallers, Map<String, String> byNodes) {
    access = byCallers;
    byCallers.useHere();
    byNodes.forEach(this::set);
  }

  /** Undoes {@link #speakTls}. */
  public void speakPlainly(Map<String, String> byNodes) {
    access = NodeAccess.PLAIN;
    byNodes.keySet().forEach(key -> set(key, null));
  }

  /** Configures the nodes that are started from now on; null takes a setting back. */
  public void set(String key, @Nullable String value) {
    if (value == null) {
      properties.remove(key);
    } else {
      properties.put(key, value);
    }
  }

  @Override
  public String toString() {
    return jvmOptions.isEmpty() && properties.isEmpty()
        ? "as shipped"
        : "as shipped, but for " + jvmOptions + " " + properties;
  }
}
