package io.kairos.client.handler;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.client.TwoTransactions;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FencedWritesTest extends TwoTransactions {
  FencedWritesTest() throws SQLException {}

  @BeforeEach
  void table() throws SQLException {
    FencedWrites.createTable(first);
    FencedWrites.createTable(first); // harmless
    execute(first, "truncate kairos_fence");
    first.commit();
  }

  @Test // PD-37
  void dal6_a_lower_fence_is_refused_after_a_higher_one() throws SQLException {
    FencedWrites.guard(first, "order-1", 2);
    first.commit();

    assertThatThrownBy(() -> FencedWrites.guard(second, "order-1", 1))
        .isInstanceOf(StaleFenceException.class)
        .hasMessageContaining("order-1");
  }

  @Test
  void one_attempt_may_write_several_times_and_a_later_one_after_it() throws SQLException {
    FencedWrites.guard(first, "order-1", 1);
    first.commit();
    FencedWrites.guard(first, "order-1", 1);
    first.commit();

    assertThatCode(() -> FencedWrites.guard(second, "order-1", 2)).doesNotThrowAnyException();
  }

  @Test
  void resources_know_nothing_of_each_other() throws SQLException {
    FencedWrites.guard(first, "order-1", 9);
    first.commit();

    assertThatCode(() -> FencedWrites.guard(second, "order-2", 1)).doesNotThrowAnyException();
  }

  @Test
  void a_guard_that_is_rolled_back_was_never_there() throws SQLException {
    FencedWrites.guard(first, "order-1", 9);
    first.rollback();

    assertThatCode(() -> FencedWrites.guard(second, "order-1", 1)).doesNotThrowAnyException();
  }

  @Test
  void a_second_holder_waits_for_the_transaction_of_the_first() throws SQLException {
    FencedWrites.guard(first, "order-1", 1);
    execute(second, "set lock_timeout = '50ms'");

    assertThatThrownBy(() -> FencedWrites.guard(second, "order-1", 2))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("lock timeout");
  }

  @Test
  void a_guard_outside_the_transaction_of_the_effect_is_refused() throws SQLException {
    first.setAutoCommit(true);

    assertThatThrownBy(() -> FencedWrites.guard(first, "order-1", 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("auto-commit");
  }
}
