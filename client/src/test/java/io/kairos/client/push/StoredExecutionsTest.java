package io.kairos.client.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoredExecutionsTest {
  private static final String DATABASE = EmbeddedPostgres.shared().newDatabase();

  private final Connection first;
  private final Connection second;

  StoredExecutionsTest() throws SQLException {
    first = connect();
    second = connect();
  }

  private static Connection connect() throws SQLException {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    Connection connection =
        DriverManager.getConnection(DATABASE, postgres.user(), postgres.password());
    connection.setAutoCommit(false);
    return connection;
  }

  @BeforeEach
  void table() throws SQLException {
    StoredExecutions.createTable(first);
    StoredExecutions.createTable(first); // harmless
    try (Statement statement = first.createStatement()) {
      statement.execute("truncate kairos_execution");
    }
    first.commit();
  }

  @AfterEach
  void close() throws SQLException {
    first.close();
    second.close();
  }

  @Test
  void ph33_an_execution_has_its_effect_once() throws SQLException {
    assertThat(StoredExecutions.first(first, "e-1")).isTrue();
    first.commit();

    assertThat(StoredExecutions.first(second, "e-1")).isFalse();
    assertThat(StoredExecutions.first(second, "e-2")).isTrue();
  }

  @Test
  void one_that_was_rolled_back_is_the_first_again() throws SQLException {
    StoredExecutions.first(first, "e-1");
    first.rollback();

    assertThat(StoredExecutions.first(second, "e-1")).isTrue();
  }

  @Test
  void a_second_one_waits_for_the_transaction_of_the_first() throws SQLException {
    StoredExecutions.first(first, "e-1");
    try (Statement statement = second.createStatement()) {
      statement.execute("set lock_timeout = '50ms'");
    }

    assertThatThrownBy(() -> StoredExecutions.first(second, "e-1"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("lock timeout");
  }

  @Test
  void one_outside_the_transaction_of_the_effect_is_refused() throws SQLException {
    first.setAutoCommit(true);

    assertThatThrownBy(() -> StoredExecutions.first(first, "e-1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("auto-commit");
  }

  @Test
  void old_ones_are_forgotten() throws SQLException {
    StoredExecutions.first(first, "old");
    StoredExecutions.first(first, "new");
    try (Statement statement = first.createStatement()) {
      statement.execute("update kairos_execution set at = at - interval '8 days' where id = 'old'");
    }
    first.commit();

    assertThat(StoredExecutions.forget(first, Duration.ofDays(7))).isEqualTo(1);
    assertThat(StoredExecutions.first(first, "old")).isTrue();
    assertThat(StoredExecutions.first(first, "new")).isFalse();
  }
}
