package io.kairos.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.Main;

/**
 * Has jcstress run the threads of every race of this source folder against each other, interpreted
 * and compiled, many thousand times each, and fails with its output when it has seen what no
 * outcome of a race names. Takes some minutes and needs two cores. The report is in {@code
 * target/races/results}.
 */
class RacesTest {
  private static final Path FOLDER = Path.of("target", "races");
  private static final Path OUTPUT = FOLDER.resolve("output.txt");
  private static final long MINUTES_AT_MOST = 15;

  /** Both threads are compiled in the same way, in four ways; each race gets a second in each. */
  private static final List<String> OPTIONS =
      List.of("-sc", "false", "-f", "1", "-fsm", "1", "-iters", "4", "-time", "250");

  @Test
  void no_race_ends_in_a_forbidden_state() throws Exception {
    Files.createDirectories(FOLDER);
    Process jcstress = start();
    try {
      assertThat(jcstress.waitFor(MINUTES_AT_MOST, TimeUnit.MINUTES))
          .as("jcstress has ended; its output is in %s", OUTPUT)
          .isTrue();
    } finally {
      jcstress.destroyForcibly();
    }

    assertThat(Files.readString(OUTPUT))
        .contains("Failed tests: No matches.", "Error tests: No matches.")
        .containsPattern("All remaining tests: \\d+ matching");
  }

  private static Process start() throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(property("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            property("java.class.path"),
            Main.class.getName());
    command.command().addAll(OPTIONS);
    command.directory(FOLDER.toFile());
    command.redirectErrorStream(true);
    command.redirectOutput(OUTPUT.toFile());
    return command.start();
  }

  private static String property(String name) {
    return requireNonNull(System.getProperty(name), name);
  }
}
