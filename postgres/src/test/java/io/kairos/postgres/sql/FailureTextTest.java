package io.kairos.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.node.StoreUnavailable;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

final class FailureTextTest {
  @Test
  void a_failure_says_what_was_attempted_the_state_and_the_reason() {
    StoreUnavailable unavailable =
        FailureText.unavailable(
            "claiming",
            new SQLException("pool is empty", "08001", new SQLException("refused by 127.0.0.1")));

    assertThat(unavailable)
        .hasMessage("claiming failed (SQLState 08001): pool is empty (refused by 127.0.0.1)");
  }

  @Test
  void neither_the_url_nor_a_password_is_shown_also_not_by_the_cause() {
    StoreUnavailable unavailable =
        FailureText.unavailable(
            "opening",
            new SQLException(
                "cannot parse jdbc:postgresql://host/db?x=1 with user=u, PassWord = s3cret; bye"));

    assertThat(unavailable)
        .hasMessage("opening failed: cannot parse jdbc:postgresql:… with user=u, PassWord=…; bye");
    assertThat(unavailable.getCause()).hasMessageNotContaining("s3cret");
  }
}
