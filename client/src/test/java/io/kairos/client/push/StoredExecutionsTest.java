package io.kairos.client.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.client.TwoTransactions;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoredExecutionsTest extends TwoTransactions {
  StoredExecutionsTest() throws SQLException {}

  @BeforeEach
  void table() throws SQLException {
    StoredExecutions.createTable(first);
    StoredExecutions.createTable(first); // harmless
    execute(first, "truncate kairos_execution");
    first.commit();
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
    execute(second, "set lock_timeout = '50ms'");

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
    execute(first, "update kairos_execution set at = at - interval '8 days' where id = 'old'");
    first.commit();

    assertThat(StoredExecutions.forget(first, Duration.ofDays(7))).isEqualTo(1);
    assertThat(StoredExecutions.first(first, "old")).isTrue();
    assertThat(StoredExecutions.first(first, "new")).isFalse();
  }
}
