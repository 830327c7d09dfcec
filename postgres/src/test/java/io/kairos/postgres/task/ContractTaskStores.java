package io.kairos.postgres.task;

import io.kairos.contracts.TaskStores;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;
import java.time.Instant;

/** One database for all contract tests of tasks in this JVM, emptied before each. */
final class ContractTaskStores implements TaskStores {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  /** At once: a connection costs more than all of these statements. */
  private static final String PAST =
      """
      update task set next_trigger = case when next_trigger = 9223372036854775807 then next_trigger else next_trigger - :past end,
        due_at = due_at - :past, created_at = created_at - :past,
        start_deadline = start_deadline - :past, attempt_until = attempt_until - :past, attempt_began = attempt_began - :past;
      update task_key set tokens_at = tokens_at - :past;
      update task_request set until = until - :past;
      update finished_task set finished_at = finished_at - :past, due_at = due_at - :past, created_at = created_at - :past,
        attempt_began = attempt_began - :past;
      update task_error set ended_at = ended_at - :past;
      update task_pause set until = until - :past, since = since - :past;
      update task_limit set tokens_at = tokens_at - :past;
      update key_use set tokens_at = tokens_at - :past;
      update key_wait set due = due - :past, woken_at = woken_at - :past;
      update task_batch set created_at = created_at - :past, closed_at = closed_at - :past, completed_at = completed_at - :past;
      update handler_asked set asked_at = asked_at - :past
      """;

  private final TestDatabase database;
  private final PostgresStores stores;

  private ContractTaskStores(TestDatabase database, PostgresStores stores) {
    this.database = database;
    this.stores = stores;
  }

  static TaskStores fresh() {
    return fresh(DATABASE, STORES);
  }

  /** Stores on connections of an application, which come without auto-commit. */
  private static final class Application {
    static final TestDatabase DATABASE = TestDatabase.create();
    static final PostgresStores STORES = DATABASE.openWithinAnApplication();
  }

  static TaskStores freshWithinAnApplication() {
    return fresh(Application.DATABASE, Application.STORES);
  }

  private static TaskStores fresh(TestDatabase database, PostgresStores stores) {
    database.execute(
        "truncate task, finished_task, task_error, task_key, task_handler, task_limit, task_pause, task_request, handler_asked,"
            + " task_edge, task_await, task_ended, task_to_follow, task_queue_to_share, task_batch,"
            + " task_batch_member, task_batch_end, key_limit, key_use, key_wait;"
            + "update task_queue set is_fair = false where is_fair");
    return new ContractTaskStores(database, stores);
  }

  static void claimAllByAnEarlierBuild() {
    DATABASE.execute(
        "update task set state = 'P', holder = 'worker', fence = fence + 1, attempt = attempt + 1");
  }

  /** Makes all tasks carry this text as their trace context. */
  static void trace(String traceparent) {
    DATABASE.execute("update task set traceparent = '%s'".formatted(traceparent));
  }

  @Override
  public TaskStore tasks() {
    return stores.tasks();
  }

  @Override
  public Instant now() {
    return stores.liveness().time();
  }

  @Override
  public void letPass(Duration duration) {
    database.execute(PAST.replace(":past", Long.toString(duration.toNanos() / 1_000)));
  }
}
