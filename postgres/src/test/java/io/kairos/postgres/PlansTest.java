package io.kairos.postgres;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kairos.postgres.sql.SqlStatement;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every statement of the delay queue, of tasks, schedules, the audit log and the cluster, explained
 * on large tables and on empty ones. The plans are generic ones, as in production, and are kept by
 * a session until the table is vacuumed or analysed again. So a plan that was good for the empty
 * queue of a quiet minute must be good for the full one after it: a join that walks the table from
 * end to end is quick on the one and takes half a second per batch on the other.
 */
final class PlansTest {
  /** No statement, but what others are made of. */
  private static final String PARTS = "parts.sql";

  /** A file in the folder of this package, by which the folders below are found. */
  private static final String ANY = "session.sql";

  /** A statement that begins so has none. */
  private static final String WITHOUT_PLAN = "lock table";

  /**
   * Count when somebody looks, or once a minute: their small tables may be read in whatever way
   * fits their size.
   */
  private static final Set<String> FOR_PEOPLE =
      Set.of(
          "task/names.sql",
          "task/numbers.sql",
          "task/backlog.sql",
          "cluster/fires.sql",
          "cluster/messages_held.sql",
          "cluster/messages_sample.sql",
          "cluster/nodes.sql",
          "cluster/routes_sample.sql",
          "cluster/tasks_sample.sql",
          "cluster/workers_find.sql",
          "cluster/workers_list.sql");

  /**
   * Run every ten minutes, and only when there are many queues, or when a calendar is changed: may
   * read every schedule.
   */
  private static final Set<String> RARE =
      Set.of(
          "task/row/queue_retire.sql", "task/row/queue_forget.sql", "schedule/calendar_users.sql");

  private static TestDatabase large;
  private static TestDatabase empty;

  @BeforeAll
  static void fill() {
    empty = TestDatabase.create();
    empty.open().close();
    assumeVersion(16, "explain (generic_plan) came with Postgres 16");
    empty.execute("vacuum analyze");
    large = TestDatabase.create();
    large.open().close();
    large.execute(SqlStatement.load("plans_fill.sql").text());
  }

  @Test // TW-5, CH-L2
  void no_statement_reads_all_messages_amendments_or_tasks() throws Exception {
    Map<String, String> plans;
    try (Connection connection = simple(large).connect()) {
      plans = plans(connection);
    }

    assertThat(plans).hasSizeGreaterThan(55);
    plans.forEach((file, plan) ->
        assertThat(plan)
            .as(file)
            .doesNotContain("Seq Scan on delayed_message")
            .doesNotContain("Seq Scan on amendment")
            .doesNotContain("Seq Scan on task ")
            .doesNotContain("Seq Scan on finished_task")
            .doesNotContain("Seq Scan on task_error")
            .doesNotContain("Seq Scan on task_batch_member")
            .doesNotContain("Seq Scan on task_batch_end")
            .doesNotContain("Seq Scan on key_wait")
            .doesNotContain("Seq Scan on schedule_fire")
            .doesNotContain("Seq Scan on audit_entry"));
    assertThat(requireNonNull(plans.get("task/enqueue_fair.sql")).split("task_fair", -1))
        .as("the walk from key to key, its way round, and the tasks of a key")
        .hasSize(4);
    plans.keySet().removeAll(RARE);
    plans.forEach(
        (file, plan) -> assertThat(plan).as(file).doesNotContain("Seq Scan on schedule "));
  }

  @Test
  void plans_do_not_depend_on_how_full_the_store_is() throws Exception {
    assumeVersion(
        17, "before 17 the planner rather reads few rows than search an index for an array");
    Map<String, String> onLarge;
    Map<String, String> onEmpty;
    try (Connection connection =
        ConnectionSource.forStatements(simple(large).config(), new ServerTimelines())
            .getConnection()) {
      onLarge = plans(connection);
    }
    try (Connection connection =
        ConnectionSource.forStatements(simple(empty).config(), new ServerTimelines())
            .getConnection()) {
      onEmpty = plans(connection);
    }

    SoftAssertions all = new SoftAssertions();
    onEmpty.keySet().removeAll(FOR_PEOPLE);
    onEmpty.keySet().removeAll(RARE);
    onEmpty.forEach((file, plan) -> all.assertThat(plan).as(file).isEqualTo(onLarge.get(file)));
    all.assertAll();
  }

  private static void assumeVersion(int least, String why) {
    assumeThat(empty.number("select current_setting('server_version_num')::int"))
        .as(why)
        .isGreaterThanOrEqualTo(least * 10_000L);
  }

  /** Without the extended protocol, in which the driver would want values for $1. */
  private static TestDatabase simple(TestDatabase database) {
    return new TestDatabase(
        database.jdbcUrl() + "?preferQueryMode=simple", database.user(), database.password());
  }

  private static Map<String, String> plans(Connection connection)
      throws SQLException, IOException, URISyntaxException {
    Map<String, String> plans = new TreeMap<>();
    for (String folder :
        List.of("delay", "task", "task/row", "task/batch", "schedule", "audit", "cluster")) {
      for (String file : files(folder)) {
        SqlStatement sql = SqlStatement.load(folder + "/" + file);
        if (!sql.text().startsWith(WITHOUT_PLAN)) {
          plans.put(sql.name(), plan(connection, sql));
        }
      }
    }
    return plans;
  }

  private static List<String> files(String folder) throws IOException, URISyntaxException {
    URI any = requireNonNull(SqlStatement.class.getResource("../" + ANY)).toURI();
    Path root = requireNonNull(Path.of(any).getParent());
    try (Stream<Path> files = Files.list(root.resolve(folder))) {
      return files
          .map(file -> requireNonNull(file.getFileName()).toString())
          .filter(name -> name.endsWith(".sql") && !name.equals(PARTS))
          .sorted()
          .toList();
    }
  }

  private static String plan(Connection connection, SqlStatement sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("explain (generic_plan, costs off) " + numbered(sql))) {
      StringBuilder plan = new StringBuilder();
      while (rows.next()) {
        plan.append(rows.getString(1)).append('\n');
      }
      return plan.toString().replaceAll("'\\d+'::oid", "an oid");
    }
  }

  private static String numbered(SqlStatement sql) {
    StringBuilder numbered = new StringBuilder();
    int n = 0;
    for (char c : sql.text().toCharArray()) {
      if (c == '?') {
        numbered.append('$').append(sql.parameters().indexOf(sql.parameters().get(n++)) + 1);
      } else {
        numbered.append(c);
      }
    }
    return numbered.toString();
  }
}
