package io.kairos.server.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the assembly packs and what the manifest names are decided by two plugins. Where they
 * disagree, all tests are green and the packed application dies with {@code NoClassDefFoundError}.
 */
class DistributionIT {
  private static final Path APP = Path.of("target", "kairos");
  private static final String PROGRAM = "kairos-server.jar";
  private static final String TOOLS = "kairos-cli.jar";

  @Test
  void the_manifests_name_exactly_the_jars_that_are_packed() throws IOException {
    Set<String> named = new TreeSet<>(List.of(PROGRAM));
    named.addAll(classPath(PROGRAM));
    named.addAll(classPath(TOOLS));

    assertThat(named)
        .as(
            "Class-Path of %s and %s and the jars in lib/; pin what differs in the root pom",
            PROGRAM, TOOLS)
        .containsExactlyElementsOf(packedJars());
    assertThat(classPath(PROGRAM)).contains(TOOLS);
  }

  /** Each jar on the way makes every start slower. */
  @Test
  void the_tools_start_without_the_jars_of_the_server() throws IOException {
    assertThat(classPath(TOOLS))
        .hasSizeLessThan(45)
        .noneMatch(jar -> jar.matches("kairos-(engine|edge|postgres|kafka|server).*|armeria.*"));
  }

  /** By the class path of the tools, and by that of the whole program. */
  @ParameterizedTest
  @ValueSource(strings = {"version", "--version"})
  void the_start_script_runs_the_packed_application(String word) throws Exception {
    Process process =
        new ProcessBuilder(APP.resolve("bin/kairos").toString(), word)
            .redirectErrorStream(true)
            .start();

    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(printed).startsWith("kairos ").hasLineCount(1).doesNotContain("not packaged");
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void the_help_lists_nodes_replicas_and_tools() throws Exception {
    Process process = new ProcessBuilder(APP.resolve("bin/kairos").toString(), "--help").start();

    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).isZero();
    assertThat(printed).containsSubsequence("  server ", "  replica ", "  task ", "  man ");
  }

  private static List<String> classPath(String name) throws IOException {
    try (JarFile jar = new JarFile(APP.resolve("lib").resolve(name).toFile())) {
      Manifest manifest = requireNonNull(jar.getManifest());
      String classPath = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      return List.of(requireNonNull(classPath).split(" ", -1));
    }
  }

  private static List<String> packedJars() throws IOException {
    Path folder = APP.resolve("lib");
    try (Stream<Path> lib = Files.list(folder)) {
      return lib.map(jar -> folder.relativize(jar).toString()).sorted().toList();
    }
  }
}
