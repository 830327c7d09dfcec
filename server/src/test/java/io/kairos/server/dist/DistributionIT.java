package io.kairos.server.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the assembly packs and what the manifest names are decided by two plugins. Where they
 * disagree, all tests are green and the packed application dies with {@code NoClassDefFoundError}.
 */
class DistributionIT {
  private static final Path APP = Path.of("target", "kairos");
  private static final String MAIN_JAR = "kairos-server.jar";

  @Test
  void the_manifest_names_exactly_the_jars_that_are_packed() throws IOException {
    assertThat(classPathOfTheManifest())
        .as("Class-Path of %s and the jars in lib/; pin what differs in the root pom", MAIN_JAR)
        .containsExactlyInAnyOrderElementsOf(packedJars());
  }

  @Test
  void the_start_script_runs_the_packed_application() throws Exception {
    Process process =
        new ProcessBuilder(APP.resolve("bin/kairos-server").toString(), "version")
            .redirectErrorStream(true)
            .start();

    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(printed).startsWith("kairos ").hasLineCount(1).doesNotContain("not packaged");
    assertThat(process.waitFor()).isZero();
  }

  private static List<String> classPathOfTheManifest() throws IOException {
    try (JarFile jar = new JarFile(APP.resolve("lib").resolve(MAIN_JAR).toFile())) {
      Manifest manifest = requireNonNull(jar.getManifest());
      String classPath = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      return List.of(requireNonNull(classPath).split(" ", -1));
    }
  }

  private static List<String> packedJars() throws IOException {
    Path folder = APP.resolve("lib");
    try (Stream<Path> lib = Files.list(folder)) {
      return lib.map(jar -> folder.relativize(jar).toString())
          .filter(name -> !name.equals(MAIN_JAR))
          .toList();
    }
  }
}
