package io.kairos.postgres.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.WorkerStoreContract;
import io.kairos.engine.worker.WorkerDetails;
import io.kairos.engine.worker.WorkerKey;
import io.kairos.engine.worker.WorkerPlace;
import io.kairos.engine.worker.WorkerSign;
import io.kairos.engine.worker.WorkerStore;
import io.kairos.engine.worker.WorkerView;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  /** As signs of life do, so that the two never wait for each other. */
  @Test
  void lapsed_leases_are_counted_in_the_order_of_the_ids_and_not_of_the_rows() throws Exception {
    WorkerStore store = open();
    WorkerDetails nothing = new WorkerDetails("", "", 0, List.of());
    for (String worker : List.of("b", "a")) {
      store.see(List.of(new WorkerSign(new WorkerKey(worker, ""), nothing)));
    }

    DATABASE.blockedBehind(
        connection -> lock(connection, "a"),
        () -> {
          store.lapse(Map.of("a", 1, "b", 1));
          return true;
        },
        () -> DATABASE.execute("select from worker_seen where worker = 'b' for update nowait"));

    assertThat(store.list(WorkerPlace.FIRST, 5))
        .extracting(WorkerView::lapsed)
        .containsExactly(1L, 1L);
  }

  private static boolean lock(Connection connection, String worker) throws SQLException {
    try (PreparedStatement lock =
        connection.prepareStatement("select from worker_seen where worker = ? for update")) {
      lock.setString(1, worker);
      return lock.execute();
    }
  }

  @Override
  protected void loseSigns() {
    DATABASE.execute("truncate worker_seen"); // as a server does after a crash
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
