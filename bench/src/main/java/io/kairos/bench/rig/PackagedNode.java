package io.kairos.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The packaged server that is measured, and its configuration. */
public final class PackagedNode {
  private final Path script;

  private PackagedNode(Path script) {
    this.script = script;
  }

  /**
   * The application in a folder with {@code bin/} and {@code lib/}.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static PackagedNode in(Path home) {
    Path script = home.resolve("bin/kairos-server").toAbsolutePath().normalize();
    if (!Files.isExecutable(script)) {
      throw new IllegalArgumentException(
          "there is no packaged server at "
              + home
              + ": build it with ./mvnw -pl server -am package");
    }
    return new PackagedNode(script);
  }

  /** The application that was built beside the bench. */
  public static PackagedNode besideTheBench() {
    return in(repository().resolve("server/target/kairos"));
  }

  /** The tree that the bench was built in: {@code kairos.home} is the bench's own folder. */
  public static Path repository() {
    return Path.of(
            requireNonNullElse(System.getProperty("kairos.home"), "bench/target/kairos-bench"))
        .toAbsolutePath()
        .resolve("../../..")
        .normalize();
  }

  /** The command of a node, whose configuration is written into the given file. */
  List<String> command(
      RouteTopics topics, NodeSettings settings, BenchRig rig, int httpPort, Path configuration) {
    try {
      Files.write(configuration, configuration(topics, settings, rig, httpPort), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + configuration, e);
    }
    return List.of(script.toString(), "server", "--config", configuration.toString());
  }

  private static List<String> configuration(
      RouteTopics topics, NodeSettings settings, BenchRig rig, int httpPort) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("postgres.url", rig.postgres().jdbcUrl());
    all.put("postgres.user", rig.postgres().user());
    all.put("postgres.password", rig.postgres().password());
    all.put("kafka.bootstrap-servers", rig.bootstrapServers());
    all.put("http.port", Integer.toString(httpPort));
    all.put("delay.routes." + topics.route() + ".input", topics.input());
    all.put("delay.routes." + topics.route() + ".output", topics.output());
    for (String property : settings.properties()) {
      int equals = property.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "'" + property + "' is not key=value, as the node's configuration needs it");
      }
      all.put(property.substring(0, equals), property.substring(equals + 1));
    }
    return all.entrySet().stream().map(e -> e.getKey() + ": \"" + e.getValue() + '"').toList();
  }

  /** Variables of the start script; all other variables of Kairos are emptied. */
  Map<String, String> environment(NodeSettings settings) {
    Map<String, String> environment = new LinkedHashMap<>();
    System.getenv().keySet().stream()
        .filter(name -> name.startsWith("KAIROS_"))
        .forEach(name -> environment.put(name, ""));
    environment.put("KAIROS_JAVA_HOME", requireNonNull(System.getProperty("java.home")));
    environment.put("KAIROS_JAVA_OPTS", String.join(" ", settings.jvmOptions()));
    environment.putAll(BenchProcess.NO_JAVA_OPTIONS);
    return environment;
  }
}
