package io.kairos.postgres.schedule;

import io.kairos.contracts.ScheduleStores;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;
import java.time.Instant;

/** The stores on one database for all suites, emptied for each test. */
final class ContractScheduleStores implements ScheduleStores {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  private ContractScheduleStores() {}

  static ScheduleStores fresh() {
    DATABASE.execute(
        "truncate schedule, schedule_fire, schedule_step, business_calendar, schedule_calendar, task,"
            + " finished_task, task_error, task_key, task_edge, task_await, task_ended,"
            + " delayed_message");
    return new ContractScheduleStores();
  }

  @Override
  public ScheduleStore schedules() {
    return STORES.schedules();
  }

  @Override
  public TaskStore tasks() {
    return STORES.tasks();
  }

  @Override
  public long messages() {
    return DATABASE.number("select count(*) from delayed_message");
  }

  @Override
  public Instant now() {
    return STORES.schedules().now();
  }

  @Override
  public void letPass(Duration duration) {
    String past = " - " + duration.toNanos() / 1_000;
    DATABASE.execute(
        "update schedule set created_at = created_at"
            + past
            + ", start_at = start_at"
            + past
            + ", since = since"
            + past
            + ", decided_to = decided_to"
            + past
            + ", next_at = next_at"
            + past);
    DATABASE.execute("update schedule_fire set decided_at = decided_at" + past);
  }
}
