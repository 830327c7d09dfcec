package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogDirectoryTest {
  @TempDir Path directory;

  private RatisConfig config(String cluster, int self, int size) {
    return new RatisConfig(
        cluster,
        new ReplicaId(self),
        IntStream.range(0, size).mapToObj(i -> new ReplicaAddress("127.0.0.1", 7_000 + i)).toList(),
        directory.resolve("log"),
        Optional.empty(),
        OrderedExecution.Config.DEFAULT,
        RatisConfig.Limits.DEFAULT);
  }

  @Test
  void a_directory_is_for_one_replica_of_one_cluster() throws IOException {
    LogDirectory.claim(config("blue", 1, 3));
    LogDirectory.claim(config("blue", 1, 3));

    assertThatIllegalStateException()
        .isThrownBy(() -> LogDirectory.claim(config("blue", 2, 3)))
        .withMessageContaining("replica 1 of 3 of cluster blue")
        .withMessageContaining("replica 2 of 3 of cluster blue");
    assertThatIllegalStateException()
        .isThrownBy(() -> LogDirectory.claim(config("green", 1, 3)))
        .withMessageContaining("green");
    assertThatIllegalStateException().isThrownBy(() -> LogDirectory.claim(config("blue", 1, 5)));
  }

  @Test
  void a_directory_is_for_one_kind_of_log() throws IOException {
    LogDirectory.claimFor("hashgraph", config("blue", 1, 4));
    LogDirectory.claimFor("hashgraph", config("blue", 1, 4));

    assertThatIllegalStateException()
        .isThrownBy(() -> LogDirectory.claim(config("blue", 1, 4)))
        .withMessageContaining("of cluster blue on hashgraph, not of replica 1 of 4");
  }

  @Test
  void a_directory_is_closed_to_other_users_of_the_machine_whoever_made_it() throws IOException {
    Path made = Files.createDirectories(directory.resolve("log"));
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));

    LogDirectory.claim(config("blue", 1, 3));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
        .isEqualTo("rwx------");
  }

  @ParameterizedTest
  @CsvSource({"'', a format without a number", "format 0, format 0", "format 2, format 2"})
  void a_directory_of_another_format_is_refused_and_left_as_it_is(String mark, String named)
      throws IOException {
    LogDirectory.claim(config("blue", 1, 3));
    Path owner = directory.resolve("log").resolve("owner");
    String other = "replica 1 of 3 of cluster blue\n" + mark;
    Files.writeString(owner, other.strip());

    assertThatIllegalStateException()
        .isThrownBy(() -> LogDirectory.claim(config("blue", 1, 3)))
        .withMessageContaining("another build of Kairos in " + named + ",")
        .withMessageContaining("reads and writes format 1");
    assertThat(Files.readString(owner)).isEqualTo(other.strip());
  }

  @Test
  void a_directory_with_else_in_it_is_refused() throws IOException {
    Files.createDirectories(directory.resolve("log"));
    Files.writeString(directory.resolve("log").resolve("letter.txt"), "to somebody");

    assertThatIllegalStateException()
        .isThrownBy(() -> LogDirectory.claim(config("blue", 0, 3)))
        .withMessageContaining("letter.txt");
  }

  @Test
  void a_cluster_that_cannot_be_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config(" ", 0, 3))
        .withMessageContaining("name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config("blue", 3, 3))
        .withMessageContaining("replica 3");
    ReplicaAddress one = new ReplicaAddress("127.0.0.1", 7_000);
    RatisConfig blue = config("blue", 0, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new RatisConfig(
                "blue",
                new ReplicaId(0),
                List.of(one, one),
                directory,
                Optional.empty(),
                blue.execution(),
                blue.limits()))
        .withMessageContaining("one address");
    assertThatIllegalArgumentException().isThrownBy(() -> new ReplicaAddress("127.0.0.1", 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limits(Duration.ofMillis(1), Duration.ofSeconds(1), 100));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limits(Duration.ofMillis(150), Duration.ofSeconds(1), 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limits(Duration.ofMillis(150), Duration.ofMillis(299), 100))
        .withMessageContaining("replica.election-within")
        .withMessageContaining("replica.election-after");
  }

  private static RatisConfig.Limits limits(
      Duration electionAfter, Duration electionWithin, long snapshotEvery) {
    return new RatisConfig.Limits(
        electionAfter, electionWithin, snapshotEvery, Duration.ofSeconds(1), 1, 1, 20);
  }
}
