package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The run behind the archive of classes: it must notice when it has trained nothing. */
class ClassTrainingTest {
  @Test
  void all_its_commands_succeed() throws Exception {
    Process training = training(60);

    String said = new String(training.getInputStream().readAllBytes(), UTF_8);

    assertThat(training.waitFor()).as(said).isZero();
    assertThat(said).isEmpty();
  }

  @Test
  void a_command_that_fails_is_named_with_what_it_said() throws Exception {
    assertThat(ClassTraining.failures(List.of("task list", "task lost")))
        .singleElement()
        .asString()
        .startsWith("kairos task lost: exit code 2")
        .contains("lost");
  }

  @Test
  void a_command_that_fails_fails_the_run() throws Exception {
    Process training = training(60, "task lost");

    assertThat(new String(training.getInputStream().readAllBytes(), UTF_8)).contains("task lost");
    assertThat(training.waitFor()).isEqualTo(1);
  }

  @Test
  void a_run_that_does_not_end_is_given_up() throws Exception {
    Process training = training(2, "task list --watch");

    assertThat(new String(training.getInputStream().readAllBytes(), UTF_8))
        .contains("gave up after 2 s");
    assertThat(training.waitFor()).isEqualTo(1);
  }

  private static Process training(int seconds, String... commands) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-Dkairos.training.seconds=" + seconds,
                "-cp",
                requireNonNull(System.getProperty("java.class.path")),
                ClassTraining.class.getName())
            .redirectErrorStream(true);
    builder.command().addAll(List.of(commands));
    return builder.start();
  }
}
