package io.kairos.bench.dashboard;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.measure.BenchSql;
import io.kairos.domain.task.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * Rows of a filled store that calls name.
 *
 * @param waiting a task in the middle of those that have not ended
 * @param ended one in the middle of those that have
 * @param succeeded the latest success
 * @param dead one in the middle of the dead
 * @param auditPlace the place of an entry in the middle of the audit log, as a token of a page
 * @param firePlace the place in the middle of the ledger of the schedule
 */
record FilledStore(
    TaskId waiting,
    TaskId ended,
    TaskId succeeded,
    TaskId dead,
    String auditPlace,
    String firePlace) {
  /** A schedule with runs. */
  static final String SCHEDULE = StoreFill.PREFIX + TaskFill.TEMPLATES;

  private static final String MIDDLE = " order by id offset (select count(*) / 2 from %s) limit 1";

  private static final String FIRE_PLACE =
      """
      with fires as (
        select f.fire_at from schedule_fire f where f.schedule_id = (select s.id from schedule s where s.name = ?)
      )
      select fire_at || ':' from fires order by fire_at offset (select count(*) / 2 from fires) limit 1
      """;

  static FilledStore read(Connection connection) throws SQLException {
    return new FilledStore(
        task(connection, "select id from task" + MIDDLE.formatted("task")),
        task(connection, "select id from finished_task" + MIDDLE.formatted("finished_task")),
        task(connection, "select id from finished_task where state = 'S' order by id desc limit 1"),
        task(
            connection,
            "select id from finished_task where state = 'D'"
                + MIDDLE.formatted("finished_task where state = 'D'")),
        text(
            connection,
            "select began_at || '-' || id from audit_entry" + MIDDLE.formatted("audit_entry")),
        text(connection, FIRE_PLACE, SCHEDULE));
  }

  private static TaskId task(Connection connection, String sql) throws SQLException {
    return new TaskId(
        BenchSql.one(connection, row -> requireNonNull(row.getObject(1, UUID.class)), sql));
  }

  private static String text(Connection connection, String sql, Object... parameters)
      throws SQLException {
    return BenchSql.one(connection, row -> requireNonNull(row.getString(1)), sql, parameters);
  }
}
