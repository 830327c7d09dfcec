package io.kairos.client.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
  @TempDir private Path folder;
  private long nanos;

  private void later() {
    nanos += Duration.ofSeconds(5).toNanos();
  }

  @Test
  void a_new_token_is_sent_some_seconds_after_it_is_written() throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "first\n");
    TokenFile token = new TokenFile(file, () -> nanos);

    assertThat(token.get()).isEqualTo("first");
    Files.writeString(file, "second");
    assertThat(token.get()).isEqualTo("first");
    later();
    assertThat(token.get()).isEqualTo("second");
  }

  @Test
  void an_empty_or_missing_file_changes_nothing() throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "first");
    TokenFile token = new TokenFile(file, () -> nanos);

    Files.writeString(file, "");
    later();
    assertThat(token.get()).isEqualTo("first");
    Files.delete(file);
    later();
    assertThat(token.get()).isEqualTo("first");
    Files.writeString(file, "third");
    later();
    assertThat(token.get()).isEqualTo("third");
  }

  @Test
  @Timeout(60)
  void a_pipe_is_read_once() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process writer =
        new ProcessBuilder("sh", "-c", "echo first > " + pipe.toAbsolutePath()).start();
    TokenFile token = new TokenFile(pipe, () -> nanos);
    assertThat(writer.waitFor()).isZero();

    later();

    assertThat(token.get()).isEqualTo("first");
  }

  @Test
  void a_file_that_is_missing_at_the_start_is_told() {
    assertThatThrownBy(() -> new TokenFile(folder.resolve("missing"), () -> nanos))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("missing cannot be read");
  }
}
