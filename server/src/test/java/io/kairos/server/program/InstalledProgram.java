package io.kairos.server.program;

import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program that a test runs. Without it the test is skipped, but fails on machines that say that
 * they have all programs: {@code TEST_PROGRAMS=installed}.
 */
public final class InstalledProgram {
  private InstalledProgram() {}

  /** Returns the path of the program. Skips the test, or fails it, where it is missing. */
  public static String named(String name) {
    Optional<Path> found =
        Stream.of(
                requireNonNullElse(System.getenv("PATH"), "")
                    .split(Pattern.quote(File.pathSeparator)))
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .findFirst();
    if ("installed".equals(System.getenv("TEST_PROGRAMS"))) {
      assertThat(found)
          .as("%s is missing, and TEST_PROGRAMS says that it is not", name)
          .isPresent();
    }
    assumeTrue(found.isPresent(), name + " is missing");
    return found.orElseThrow().toString();
  }
}
