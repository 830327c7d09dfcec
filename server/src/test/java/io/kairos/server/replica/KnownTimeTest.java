package io.kairos.server.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.engine.cron.AgreedTimeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownTimeTest {
  private static final AgreedTimeConfig ON = config(AgreedTimeConfig.Mode.ON, 1);
  private static final AgreedTimeConfig OFF = config(AgreedTimeConfig.Mode.OFF, 1);

  @TempDir private Path directory;

  private static AgreedTimeConfig config(AgreedTimeConfig.Mode mode, int epsilonMillis) {
    return new AgreedTimeConfig(
        mode, Duration.ofMillis(500), Duration.ofSeconds(3), Duration.ofMillis(epsilonMillis));
  }

  private void check(AgreedTimeConfig config) {
    new KnownTime(directory, (file, content) -> Files.writeString(file, UTF_8.decode(content)), "")
        .check(config);
  }

  /** As Ratis does when the log is opened. */
  private void beginLog() throws IOException {
    Files.createDirectory(directory.resolve("log"));
  }

  @Test
  void the_settings_of_the_first_start_are_those_of_every_start() throws IOException {
    check(OFF);
    beginLog();

    assertThatCode(() -> check(OFF)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check(ON)).hasMessageContaining("was begun with replica.time off");
  }

  @Test
  void a_journal_of_the_hashgraph_is_a_log_too() throws IOException {
    check(OFF);
    Files.createFile(directory.resolve("journal"));

    assertThatThrownBy(() -> check(ON)).hasMessageContaining("was begun with replica.time off");
  }

  @Test
  void a_first_start_that_failed_before_it_had_a_log_binds_nobody() {
    check(OFF);

    assertThatCode(() -> check(ON)).doesNotThrowAnyException();
  }

  @Test
  void a_log_of_a_build_without_the_settings_was_begun_with_the_defaults() throws IOException {
    beginLog();

    assertThatThrownBy(() -> check(OFF)).hasMessageContaining("was begun with replica.time on");
    assertThatThrownBy(() -> check(config(AgreedTimeConfig.Mode.ON, 2)))
        .hasMessageContaining("was begun with replica.time on, replica.clock.epsilon 1ms");
    check(ON);
    assertThatCode(() -> check(ON)).doesNotThrowAnyException();
  }

  @Test
  void a_damaged_file_is_named_with_its_remedy() throws IOException {
    check(ON);
    beginLog();
    Files.writeString(directory.resolve("time.txt"), "");

    assertThatThrownBy(() -> check(ON))
        .hasMessageContaining("time.txt is damaged: copy it from another replica");
  }
}
