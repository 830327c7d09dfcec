package io.kairos.postgres.task;

import io.kairos.engine.task.port.TaskStore;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import io.kairos.testkit.task.TaskStores;
import java.time.Duration;
import java.time.Instant;

/** One database for all contract tests of tasks in this JVM, emptied before each. */
final class ContractTaskStores implements TaskStores {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  private ContractTaskStores() {}

  static TaskStores fresh() {
    DATABASE.execute(
        "truncate task, finished_task, task_key, task_handler, task_limit, task_gate, task_request, handler_asked");
    return new ContractTaskStores();
  }

  @Override
  public TaskStore tasks() {
    return STORES.tasks();
  }

  @Override
  public Instant now() {
    return STORES.liveness().time();
  }

  @Override
  public void letPass(Duration duration) {
    String past = " - " + duration.toNanos() / 1_000;
    DATABASE.execute(
        "update task set next_trigger = next_trigger"
            + past
            + ", due_at = due_at"
            + past
            + ", created_at = created_at"
            + past
            + ", start_deadline = start_deadline"
            + past);
    DATABASE.execute("update task_key set tokens_at = tokens_at" + past);
    DATABASE.execute("update task_request set until = until" + past);
    DATABASE.execute(
        "update finished_task set finished_at = finished_at"
            + past
            + ", due_at = due_at"
            + past
            + ", created_at = created_at"
            + past);
    DATABASE.execute("update task_gate set until = until" + past + ", since = since" + past);
    DATABASE.execute("update task_limit set tokens_at = tokens_at" + past);
    DATABASE.execute("update handler_asked set asked_at = asked_at" + past);
  }
}
