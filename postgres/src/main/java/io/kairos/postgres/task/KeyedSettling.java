package io.kairos.postgres.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.KeyState.Change;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.Settled;
import io.kairos.engine.task.port.Settlement;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends attempts of tasks with ordering keys, in a transaction: the tasks are locked, then their
 * keys.
 */
final class KeyedSettling {
  private static final Sql LOCK = Sql.load(KeyedSettling.class, "settle_lock.sql");

  private KeyedSettling() {}

  private record Held(KeyId key, boolean isCancelRequested) {}

  /**
   * Passes over settlements of tasks without keys, and over late ones.
   *
   * @param onto where the next tasks of the keys are enqueued; null for nowhere
   */
  static Settled run(
      Connection connection, List<Settlement> settlements, @Nullable EnqueueRequest onto)
      throws SQLException {
    Map<FencedTask, Held> held = lock(connection, settlements);
    if (held.isEmpty()) {
      return Settled.NOTHING;
    }
    Keys keys = Keys.lock(connection, held.values().stream().map(Held::key).toList());
    List<Settlement> keyed =
        settlements.stream().filter(one -> held.containsKey(one.task())).toList();
    Settling settling = new Settling(keyed);
    Set<FencedTask> settled = settling.run(connection, true);
    for (Settlement settlement : keyed) {
      Held task = held.get(settlement.task());
      if (task != null && settled.contains(settlement.task())) {
        keys.note(task.key(), settlement.task().id(), change(settlement, task));
      }
    }
    KeyRows.Promoted next = keys.write(onto);
    Set<QueueId> roomIn = new HashSet<>(next.queues());
    roomIn.addAll(settling.roomIn());
    return new Settled(settled, roomIn, next.enqueued());
  }

  private static Map<FencedTask, Held> lock(Connection connection, List<Settlement> settlements)
      throws SQLException {
    Map<FencedTask, Held> held = new HashMap<>();
    try (Call call = Fenced.of(settlements, Settlement::task).bind(LOCK.on(connection));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        held.put(Fenced.read(rows), new Held(new KeyId(rows.getLong(3)), rows.getBoolean(4)));
      }
    }
    return held;
  }

  private static Change change(Settlement settlement, Held task) {
    return switch (settlement) {
      case Settlement.Finish finish -> change(finish.state());
      case Settlement.Retry _, Settlement.NotBegun _ ->
          task.isCancelRequested() ? Change.ENDED : Change.FAILED_FOR_NOW;
      case Settlement.Requeue _ -> throw new IllegalStateException("not an attempt's end");
    };
  }

  private static Change change(TaskState end) {
    return switch (end) {
      case FAILED, DEAD -> Change.FAILED_FOR_GOOD;
      case SUCCEEDED, CANCELLED, NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, BLOCKED, PAUSED ->
          Change.ENDED;
    };
  }
}
