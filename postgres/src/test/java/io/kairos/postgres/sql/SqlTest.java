package io.kairos.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

final class SqlTest {
  @Test
  void named_parameters_become_positional_in_order() {
    Sql sql = Sql.parse("x.sql", "select :b, :a_1, :b from t where c = :a_1");

    assertThat(sql.text()).isEqualTo("select ?, ?, ? from t where c = ?");
    assertThat(sql.parameters()).containsExactly("b", "a_1", "b", "a_1");
  }

  @Test
  void casts_quoted_text_and_comments_are_left_alone() {
    Sql sql =
        Sql.parse(
            "x.sql", "-- about :this and 'that\nselect ':no'::text, \":no\", :yes::int -- :end");

    assertThat(sql.text()).isEqualTo("select ':no'::text, \":no\", ?::int");
    assertThat(sql.parameters()).containsExactly("yes");
  }

  @Test
  void a_quote_that_is_doubled_does_not_end_the_text() {
    assertThat(Sql.parse("x.sql", "select 'it''s :not', :one").parameters()).containsExactly("one");
  }

  @Test
  void a_broken_file_is_named() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Sql.load(SqlTest.class, "none.sql"))
        .withMessageContaining("none.sql");
    for (String broken : new String[] {"select 'x", "select ?", "select : from t"}) {
      assertThatIllegalStateException()
          .isThrownBy(() -> Sql.parse("broken.sql", broken))
          .withMessageContaining("broken.sql");
    }
  }
}
