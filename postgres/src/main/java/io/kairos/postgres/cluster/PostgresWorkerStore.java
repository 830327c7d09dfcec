package io.kairos.postgres.cluster;

import static io.kairos.domain.time.EpochMicros.lengthOf;
import static io.kairos.postgres.sql.NonNullColumns.instant;
import static io.kairos.postgres.sql.NonNullColumns.text;

import io.kairos.engine.worker.WorkerDetails;
import io.kairos.engine.worker.WorkerKey;
import io.kairos.engine.worker.WorkerPlace;
import io.kairos.engine.worker.WorkerSign;
import io.kairos.engine.worker.WorkerStore;
import io.kairos.engine.worker.WorkerView;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@link WorkerStore} on the tables {@code worker_seen} and {@code worker_drained}. Writes of the
 * node and questions of calls use different connections.
 */
public record PostgresWorkerStore(SqlDatabase forNode, SqlDatabase forCalls)
    implements WorkerStore {
  private static final SqlStatement SEE = SqlStatement.load("cluster/workers_see.sql");
  private static final SqlStatement LAPSE = SqlStatement.load("cluster/workers_lapse.sql");
  private static final SqlStatement DRAINED = SqlStatement.load("cluster/workers_drained.sql");
  private static final SqlStatement KEEP_DRAINED =
      SqlStatement.load("cluster/workers_keep_drained.sql");
  private static final SqlStatement PRUNE = SqlStatement.load("cluster/workers_prune.sql");
  private static final SqlStatement PRUNE_DRAINED =
      SqlStatement.load("cluster/workers_prune_drained.sql");
  private static final SqlStatement LIST = SqlStatement.load("cluster/workers_list.sql");
  private static final SqlStatement FIND = SqlStatement.load("cluster/workers_find.sql");
  private static final SqlStatement DRAIN = SqlStatement.load("cluster/workers_drain.sql");
  private static final SqlStatement END_DRAIN = SqlStatement.load("cluster/workers_end_drain.sql");

  /** Of one statement, so that it stays small whatever workers say of themselves. */
  private static final int MOST_AT_ONCE = 500;

  private static final String LINE = "\n";

  @Override
  public void see(Collection<WorkerSign> signs) {
    List<WorkerSign> all = List.copyOf(signs);
    for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
      List<WorkerSign> some = all.subList(from, Math.min(all.size(), from + MOST_AT_ONCE));
      forNode
          .call("noting workers", SEE)
          .with("workers", ColumnBatch.texts(some, sign -> sign.key().worker()))
          .with("callers", ColumnBatch.texts(some, sign -> sign.key().caller()))
          .with("hosts", said(some, WorkerDetails::host))
          .with("versions", said(some, WorkerDetails::version))
          .with("slots", ColumnBatch.longsOrNulls(some, PostgresWorkerStore::slots))
          .with("handlers", said(some, details -> String.join(LINE, details.handlers())))
          .with("every_micros", lengthOf(SIGNED_EVERY))
          .with("most", 2 * MOST)
          .update();
    }
  }

  private static BinaryArray said(List<WorkerSign> signs, Function<WorkerDetails, String> what) {
    return ColumnBatch.texts(signs, WorkerSign::details, what);
  }

  private static @Nullable Long slots(WorkerSign sign) {
    WorkerDetails details = sign.details();
    return details == null ? null : Long.valueOf(details.slots());
  }

  @Override
  public void lapse(Map<String, Integer> leases) {
    List<Map.Entry<String, Integer>> each = new ArrayList<>(leases.entrySet());
    forNode
        .call("counting lapsed leases of workers", LAPSE)
        .with("workers", ColumnBatch.texts(each, Map.Entry::getKey))
        .with("leases", ColumnBatch.longs(each, Map.Entry::getValue))
        .update();
  }

  @Override
  public Set<WorkerKey> drained() {
    return forNode
        .call("asking for drained workers", DRAINED)
        .set(row -> new WorkerKey(text(row, 1), text(row, 2)));
  }

  @Override
  public void keepDrained(Collection<WorkerKey> seen) {
    forNode
        .call("keeping drains of workers", KEEP_DRAINED)
        .with("workers", ColumnBatch.texts(seen, WorkerKey::worker))
        .with("callers", ColumnBatch.texts(seen, WorkerKey::caller))
        .update();
  }

  @Override
  public void prune(int mostOfCaller, int most) {
    forNode
        .call("forgetting workers", PRUNE)
        .with("kept_micros", lengthOf(KEPT))
        .with("most_of_caller", mostOfCaller)
        .with("most", most)
        .update();
    forNode
        .call("forgetting drains of workers", PRUNE_DRAINED)
        .with("kept_micros", lengthOf(KEPT))
        .update();
  }

  @Override
  public List<WorkerView> list(WorkerPlace after, int limit) {
    return forCalls
        .call("listing workers", LIST)
        .with("quiet_micros", lengthOf(QUIET_AFTER))
        .with("after_quiet", after.isQuiet())
        .with("after_worker", after.key().worker())
        .with("after_caller", after.key().caller())
        .with("max_workers", limit)
        .list(PostgresWorkerStore::worker);
  }

  @Override
  public Optional<WorkerView> drain(String worker, boolean isDrained) {
    if (isDrained) {
      forCalls.call("draining a worker", DRAIN).with("worker", worker).update();
      return find(worker);
    }
    Optional<WorkerView> found = find(worker);
    forCalls.call("ending the drain of a worker", END_DRAIN).with("worker", worker).update();
    return found.map(WorkerView::undrained);
  }

  private Optional<WorkerView> find(String worker) {
    return forCalls
        .call("looking for a worker", FIND)
        .with("quiet_micros", lengthOf(QUIET_AFTER))
        .with("worker", worker)
        .optional(PostgresWorkerStore::worker);
  }

  private static WorkerView worker(ResultSet row) throws SQLException {
    String handlers = text(row, 6);
    return new WorkerView(
        new WorkerKey(text(row, 1), text(row, 2)),
        new WorkerDetails(text(row, 3), text(row, 4), row.getInt(5), handlers.lines().toList()),
        row.getInt(11),
        row.getLong(9),
        instant(row, 7),
        instant(row, 8),
        row.getBoolean(12),
        row.getBoolean(10));
  }
}
