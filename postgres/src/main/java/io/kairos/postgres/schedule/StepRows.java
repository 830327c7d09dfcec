package io.kairos.postgres.schedule;

import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.engine.pool.port.OlderNodesRun;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.FiredTasks;
import io.kairos.postgres.task.OlderNodes;
import java.sql.Connection;
import java.util.List;

/**
 * Keeps the queues of steps from being forgotten, and nodes that do not know steps from running
 * beside them.
 */
final class StepRows {
  private static final SqlStatement ANY = SqlStatement.load("schedule/step_any.sql");
  private static final SqlStatement DELETE = SqlStatement.load("schedule/step_delete.sql");
  private static final SqlStatement INSERT = SqlStatement.load("schedule/step_insert.sql");

  /** The migration that brought steps. */
  private static final int SINCE = 21;

  private StepRows() {}

  /**
   * Notes the steps of a new schedule.
   *
   * @throws OlderNodesRun when nodes run that would fire it without its steps
   */
  static void insert(Connection connection, Schedule schedule) {
    List<ScheduleStep> steps = schedule.definition().steps();
    if (steps.isEmpty()) {
      return;
    }
    int older = OlderNodes.count(connection, ANY, SINCE);
    if (older > 0) {
      throw new OlderNodesRun("schedule.steps: steps", older);
    }
    INSERT
        .on(connection)
        .with("id", schedule.id().value())
        .with(
            "queue_ids",
            ColumnBatch.ints(
                steps, step -> FiredTasks.queue(connection, step.target().queue()).value()))
        .update();
  }

  /** Notes the steps of a schedule whose definition has changed, as {@link #insert}. */
  static void replace(Connection connection, Schedule schedule) {
    DELETE.on(connection).with("id", schedule.id().value()).update();
    insert(connection, schedule);
  }
}
