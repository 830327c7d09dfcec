package io.kairos.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.embedded.process.ProcessSignal;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed JVM leaves behind: nothing that runs, and everything that was stored. */
class DeathOfTheParentTest {
  @TempDir Path directory;

  @Tag("long")
  @Test
  void a_killed_parent_leaves_no_process_and_the_next_start_finds_its_data() throws Exception {
    int postgresPort = LoopbackPort.choose();
    int kafkaPort = LoopbackPort.choose();
    try (ParentProcess parent = start(postgresPort, kafkaPort)) {
      long postgres = parent.awaitPid("postgres");
      long kafka = parent.awaitPid("kafka");

      parent.kill();

      assertThat(ParentProcess.endsSoon(postgres)).as("postgres is gone").isTrue();
      assertThat(ParentProcess.endsSoon(kafka)).as("kafka is gone").isTrue();
    }

    try (ParentProcess parent = start(postgresPort, kafkaPort)) {
      long postgres = parent.awaitPid("postgres");
      long kafka = parent.awaitPid("kafka");
      // Paused they cannot hear that their parent died: the worst that can be left behind.
      ProcessSignal.STOP.send(postgres);
      ProcessSignal.STOP.send(kafka);

      parent.kill();

      findsItsData(postgresPort, kafkaPort, postgres);
    }
  }

  private void findsItsData(int postgresPort, int kafkaPort, long before) throws Exception {
    try (EmbeddedPostgres again =
        EmbeddedPostgres.start(PostgresOptions.in(directory).withPort(postgresPort))) {
      assertThat(again.pid()).isNotEqualTo(before);
      assertThat(runs(again)).isEqualTo(2);
    }
    try (EmbeddedKafka again =
        EmbeddedKafka.start(KafkaOptions.forTests(directory).withPort(kafkaPort))) {
      assertThat(again.port()).isEqualTo(kafkaPort);
    }
  }

  @Test
  void a_parent_killed_together_with_its_postmaster_leaves_data_that_starts_at_once()
      throws Exception {
    int port = LoopbackPort.choose();
    try (ParentProcess parent = ParentProcess.start(directory, port, -1, Map.of())) {
      long postgres = parent.awaitPid("postgres");
      ProcessSignal.KILL.send(postgres);
      parent.kill();

      try (EmbeddedPostgres again =
          EmbeddedPostgres.start(PostgresOptions.in(directory).withPort(port))) {
        assertThat(runs(again)).isEqualTo(1);
      }
    }
  }

  private ParentProcess start(int postgresPort, int kafkaPort) throws Exception {
    return ParentProcess.start(directory, postgresPort, kafkaPort, Map.of());
  }

  private static int runs(EmbeddedPostgres postgres) throws Exception {
    try (var connection =
            DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select count(*) from run")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
