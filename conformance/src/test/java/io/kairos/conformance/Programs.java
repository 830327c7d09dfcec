package io.kairos.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs of this machine that the tests run. */
final class Programs {
  private Programs() {}

  /**
   * Leaves the test out where a program does not work, but never on the build machine.
   *
   * @param needed what to install
   */
  static void require(boolean works, String needed) {
    if (!works && System.getenv("TEST_PROGRAMS") != null) {
      throw new AssertionError("install " + needed);
    }
    Assumptions.assumeTrue(works, "install " + needed);
  }

  static boolean works(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false; // it is not there
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs a program to its end, which must be a success; returns what it has said. */
  static String run(Path directory, Map<String, String> environment, List<String> command) {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as("%s said: %s", command, said).isZero();
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** An empty folder below target; what was there before is deleted. */
  static Path emptyFolder(String name) throws IOException {
    Path folder = Path.of("target", name).toAbsolutePath();
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path one : all.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(one);
        }
      }
    }
    return Files.createDirectories(folder);
  }

  /** Copies the files of a folder that are in the repository, and those of folders in it. */
  static void copy(Path from, Path to, List<String> names) throws IOException {
    for (String name : names) {
      try (Stream<Path> all = Files.walk(from.resolve(name))) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          Path copy = to.resolve(from.relativize(file));
          Files.createDirectories(requireNonNull(copy.getParent()));
          Files.copy(file, copy);
        }
      }
    }
  }

  /** Unpacks a library of npm from its webjar. */
  static void unpack(String webjar, Path into) throws IOException {
    URL about =
        requireNonNull(
            Programs.class.getResource(
                "/META-INF/maven/org.webjars.npm/" + webjar + "/pom.properties"),
            webjar);
    JarFile jar = ((JarURLConnection) about.openConnection()).getJarFile();
    String root = "META-INF/resources/webjars/" + webjar + "/";
    for (JarEntry entry : jar.stream().toList()) {
      if (!entry.isDirectory() && entry.getName().startsWith(root)) {
        String path = entry.getName().substring(entry.getName().indexOf('/', root.length()) + 1);
        Path file = into.resolve(path);
        Files.createDirectories(requireNonNull(file.getParent()));
        try (InputStream in = requireNonNull(jar.getInputStream(entry))) {
          Files.write(file, in.readAllBytes());
        }
      }
    }
  }
}
