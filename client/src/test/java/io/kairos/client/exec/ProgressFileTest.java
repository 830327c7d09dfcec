package io.kairos.client.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kairos.client.worker.TestAttempt;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressFileTest {
  private static final Set<String> ONLY_THE_OWNER = Set.of("OWNER_READ", "OWNER_WRITE");

  @ParameterizedTest
  @CsvSource(
      ignoreLeadingAndTrailingWhitespace = false,
      delimiter = '|',
      value = {
        "50|50 ",
        "7% of it|7 of it",
        " 30   pages  |30 pages",
        "999 much|100 much",
        "half|",
        " |",
        "-3|",
        "1234|",
        "40x|"
      })
  void a_percentage_and_a_note_are_told_and_nothing_else(String text, @Nullable String told)
      throws IOException {
    TestAttempt attempt = new TestAttempt("", () -> 1);
    try (ProgressFile file = ProgressFile.create()) {
      Files.writeString(file.path(), text + "\nmore");

      file.tell(attempt.context());

      assertThat(attempt.progress()).isEqualTo(told);
      assertThat(Files.getPosixFilePermissions(file.path()))
          .extracting(Enum::name)
          .containsExactlyInAnyOrderElementsOf(ONLY_THE_OWNER);
    }
  }

  @Test
  @Timeout(30)
  void a_pipe_in_its_place_holds_up_nothing() throws Exception {
    TestAttempt attempt = new TestAttempt("", () -> 1);
    try (ProgressFile file = ProgressFile.create()) {
      Files.delete(file.path());
      assumeThat(new ProcessBuilder("mkfifo", file.path().toString()).start().waitFor()).isZero();

      file.tell(attempt.context());

      assertThat(attempt.progress()).isNull();
    }
  }
}
