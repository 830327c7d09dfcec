package io.kairos.postgres.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Settlement;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends attempts: one statement for each kind of settlement that is among them. What nearly every
 * batch consists of, successes, is one kind.
 */
final class Settling {
  private static final Sql FINISH = Sql.load(Settling.class, "settle_finish.sql");
  private static final Sql RETRY = Sql.load(Settling.class, "settle_retry.sql");

  private final List<Part> parts = new ArrayList<>();
  private boolean needsTransaction;

  private interface Part {
    Set<FencedTask> settle(Connection connection, boolean keyed) throws SQLException;
  }

  /** How a task ends, and what is noted of its last attempt. */
  private record End(FencedTask task, TaskState state, @Nullable String failure) {}

  Settling(List<Settlement> settlements) {
    for (boolean onlyIfLapsed : new boolean[] {false, true}) {
      List<End> ends = new ArrayList<>();
      List<Settlement.Retry> retries = new ArrayList<>();
      List<FencedTask> requeues = new ArrayList<>();
      for (Settlement settlement : settlements) {
        if (settlement.onlyIfLapsed() == onlyIfLapsed) {
          switch (settlement) {
            case Settlement.Finish finish -> ends.add(end(finish));
            case Settlement.Retry retry -> retries.add(retry);
            case Settlement.Requeue requeue -> requeues.add(requeue.task());
          }
        }
      }
      if (!ends.isEmpty()) {
        parts.add((connection, keyed) -> finish(connection, ends, onlyIfLapsed, false, keyed));
      }
      if (!retries.isEmpty()) {
        parts.add((connection, keyed) -> retry(connection, retries, onlyIfLapsed, keyed));
        needsTransaction = true;
      }
      if (!requeues.isEmpty()) {
        parts.add((connection, _) -> GivingBack.timedOut(connection, requeues));
      }
    }
    needsTransaction |= parts.size() > 1;
  }

  boolean needsTransaction() {
    return needsTransaction;
  }

  /**
   * @param keyed also those of tasks with ordering keys; then tasks and keys are locked
   */
  Set<FencedTask> run(Connection connection, boolean keyed) throws SQLException {
    Set<FencedTask> settled = new HashSet<>();
    for (Part part : parts) {
      settled.addAll(part.settle(connection, keyed));
    }
    return settled;
  }

  private static End end(Settlement.Finish finish) {
    return switch (finish.state()) {
      case FAILED, DEAD -> new End(finish.task(), finish.state(), finish.error());
      case SUCCEEDED, CANCELLED, NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, BLOCKED, PAUSED ->
          new End(finish.task(), finish.state(), null);
    };
  }

  private static Set<FencedTask> finish(
      Connection connection,
      List<End> ends,
      boolean onlyIfLapsed,
      boolean onlyIfCancelled,
      boolean keyed)
      throws SQLException {
    Fenced<End> fenced = Fenced.of(ends, End::task);
    try (Call call =
        fenced
            .bind(FINISH.on(connection))
            .with("states", fenced.texts(end -> States.code(end.state())))
            .with("errors", fenced.texts(End::failure))
            .with("only_if_lapsed", onlyIfLapsed)
            .with("only_if_cancelled", onlyIfCancelled)
            .with("keyed", keyed)) {
      return Fenced.returnedBy(call);
    }
  }

  private static Set<FencedTask> retry(
      Connection connection, List<Settlement.Retry> retries, boolean onlyIfLapsed, boolean keyed)
      throws SQLException {
    Fenced<Settlement.Retry> fenced = Fenced.of(retries, Settlement.Retry::task);
    long[] delays =
        fenced.wishes().stream().mapToLong(retry -> EpochMicros.lengthOf(retry.delay())).toArray();
    Set<FencedTask> settled;
    try (Call call =
        fenced
            .bind(RETRY.on(connection))
            .with("delays", BinaryArray.longs(delays))
            .with("errors", fenced.texts(Settlement.Retry::error))
            .with("only_if_lapsed", onlyIfLapsed)
            .with("keyed", keyed)) {
      settled = Fenced.returnedBy(call);
    }
    List<End> cancelled =
        retries.stream()
            .filter(retry -> !settled.contains(retry.task()))
            .map(retry -> new End(retry.task(), TaskState.CANCELLED, retry.error()))
            .toList();
    if (!cancelled.isEmpty()) {
      settled.addAll(finish(connection, cancelled, onlyIfLapsed, true, keyed));
    }
    return settled;
  }
}
