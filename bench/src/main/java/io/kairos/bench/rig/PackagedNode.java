package io.kairos.bench.rig;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The packaged server that was built beside the bench, and its configuration. */
public final class PackagedNode {
  private PackagedNode() {}

  /** The tree that the bench was built in: {@code kairos.home} is the bench's own folder. */
  public static Path repository() {
    return Path.of(
            requireNonNullElse(System.getProperty("kairos.home"), "bench/target/kairos-bench"))
        .toAbsolutePath()
        .resolve("../../..")
        .normalize();
  }

  /**
   * The command of a node with the given configuration, which is written into a file.
   *
   * @param tree that the node was built in
   */
  static List<String> command(Path tree, Map<String, String> configuration, Path file) {
    Path folder = tree.resolve("server/target/kairos/bin");
    Path script = folder.resolve("kairos");
    if (!Files.isExecutable(script)) {
      script = folder.resolve("kairos-server"); // its name in a tree of an earlier commit
    }
    if (!Files.isExecutable(script)) {
      throw new IllegalArgumentException(
          "there is no " + script + ": build it with ./mvnw -pl server -am package");
    }
    try {
      Files.write(
          file,
          configuration.entrySet().stream()
              .map(e -> e.getKey() + ": \"" + e.getValue() + '"')
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
    return List.of(script.toString(), "server", "--config", file.toString());
  }

  /** Variables of the start script; all other variables of Kairos are emptied. */
  static Map<String, String> environment(List<String> jvmOptions) {
    Map<String, String> environment = new LinkedHashMap<>(BenchProcess.NO_JAVA_OPTIONS);
    System.getenv().keySet().stream()
        .filter(name -> name.startsWith("KAIROS_"))
        .forEach(name -> environment.put(name, ""));
    environment.put("KAIROS_JAVA_HOME", requireNonNull(System.getProperty("java.home")));
    environment.put("KAIROS_JAVA_OPTS", String.join(" ", jvmOptions));
    return environment;
  }
}
