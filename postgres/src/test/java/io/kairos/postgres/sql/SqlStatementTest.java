package io.kairos.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

final class SqlStatementTest {
  @Test
  void named_parameters_become_positional_in_order() {
    SqlStatement sql = SqlStatement.parse("x.sql", "select :b, :a_1, :b from t where c = :a_1");

    assertThat(sql.text()).isEqualTo("select ?, ?, ? from t where c = ?");
    assertThat(sql.parameters()).containsExactly("b", "a_1", "b", "a_1");
  }

  @Test
  void casts_quoted_text_and_comments_are_left_alone() {
    SqlStatement sql =
        SqlStatement.parse(
            "x.sql", "-- about :this and 'that\nselect ':no'::text, \":no\", :yes::int -- :end");

    assertThat(sql.text()).isEqualTo("select ':no'::text, \":no\", ?::int");
    assertThat(sql.parameters()).containsExactly("yes");
  }

  @Test
  void a_quote_that_is_doubled_does_not_end_the_text() {
    assertThat(SqlStatement.parse("x.sql", "select 'it''s :not', :one").parameters())
        .containsExactly("one");
  }

  @Test
  void a_statement_is_made_of_the_parts_that_it_names() {
    SqlStatement sql = SqlStatement.load("sql/of_parts.sql");

    assertThat(sql.text()).isEqualTo("select a, b from t where a = ? and b = '{}'");
    assertThat(sql.parameters()).containsExactly("a");
    assertThatIllegalStateException()
        .isThrownBy(() -> SqlStatement.load("sql/of_no_part.sql"))
        .withMessage("sql/of_no_part.sql: no part {none} in parts.sql");
  }

  @Test
  void a_broken_file_is_named() {
    assertThatIllegalStateException()
        .isThrownBy(() -> SqlStatement.load("sql/none.sql"))
        .withMessageContaining("none.sql");
    for (String broken : new String[] {"select 'x", "select ?", "select : from t"}) {
      assertThatIllegalStateException()
          .isThrownBy(() -> SqlStatement.parse("broken.sql", broken))
          .withMessageContaining("broken.sql");
    }
  }
}
