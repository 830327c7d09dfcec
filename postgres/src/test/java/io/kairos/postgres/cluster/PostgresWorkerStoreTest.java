package io.kairos.postgres.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.WorkerStoreContract;
import io.kairos.engine.worker.WorkerKey;
import io.kairos.engine.worker.WorkerStore;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PostgresWorkerStoreTest extends WorkerStoreContract {
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  @Override
  protected WorkerStore open() {
    DATABASE.execute("truncate worker_seen, worker_drained, task, task_queue");
    return STORES.workers();
  }

  @Override
  protected void age(Duration by) {
    String older = " - interval '" + by.toMillis() + " milliseconds'";
    DATABASE.execute(
        "update worker_seen set since = since" + older + ", seen_at = seen_at" + older);
    DATABASE.execute("update worker_drained set seen_at = seen_at" + older);
  }

  /** Those of another caller's worker of this id, and tasks in a node's memory, do not count. */
  @Override
  protected void performs(WorkerKey worker, int tasks) {
    DATABASE.execute(WaitingRows.QUEUES);
    DATABASE.execute(WaitingRows.tasks("generate_series(1::bigint, " + (tasks + 2) + ")"));
    DATABASE.execute(
        "update task set state = 'P', holder = '%s', performed_by = nullif('%s', '') where due_at <= %d"
            .formatted(worker.worker(), worker.caller(), tasks));
    DATABASE.execute(
        "update task set state = 'P', holder = '%s', performed_by = 'another' where due_at = %d"
            .formatted(worker.worker(), tasks + 1));
    DATABASE.execute(
        "update task set state = 'E', holder = '%s' where due_at = %d"
            .formatted(worker.worker(), tasks + 2));
  }

  @Test
  void drains_are_in_the_log_of_the_server_and_signs_of_life_are_not() {
    assertThat(
            DATABASE.number(
                "select count(*) from pg_class where relname = 'worker_seen' and relpersistence = 'u'"
                    + " or relname = 'worker_drained' and relpersistence = 'p'"))
        .isEqualTo(2);
  }
}
