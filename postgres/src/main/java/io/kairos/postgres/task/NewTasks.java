package io.kairos.postgres.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Receipt;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import io.kairos.postgres.task.KeyPlacing.Place;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stores batches of new tasks, each by one statement: of a batch that fails nothing is stored. */
final class NewTasks {
  private static final Sql INSERT = Sql.load(NewTasks.class, "insert.sql");
  private static final byte[] BLOCKED =
      States.code(TaskState.BLOCKED).getBytes(StandardCharsets.UTF_8);
  private static final byte[] @Nullable [] NO_TEXTS = new byte[0][];

  private NewTasks() {}

  /** A task of the batch, whether it begins on its queue, and where it stands if it has a key. */
  private record Row(NewTask task, boolean onQueue, @Nullable Place place) {
    static Row of(Arrival arrival, Map<TaskId, Place> places) {
      Place place = places.get(arrival.task().id());
      boolean isBlocked = place != null && place.blocked();
      return new Row(arrival.task(), arrival.onQueue() && !isBlocked, place);
    }

    Receipt receipt() {
      return new Receipt(task.id(), false, onQueue, onQueue && place != null ? place.key() : null);
    }
  }

  /** In a transaction if a task has a key. */
  static List<InsertResult> insert(
      Connection connection, NodeId node, List<InsertRequest> requests, Duration enqueueTimeout)
      throws SQLException {
    Map<TaskId, Place> places =
        KeyPlacing.of(
            connection,
            requests.stream()
                .map(request -> request.arrivals().stream().map(Arrival::task).toList())
                .toList());
    List<Row> rows = new ArrayList<>();
    List<InsertResult> results = new ArrayList<>(requests.size());
    for (InsertRequest request : requests) {
      List<Row> some = request.arrivals().stream().map(one -> Row.of(one, places)).toList();
      results.add(new InsertResult.Stored(some.stream().map(Row::receipt).toList()));
      rows.addAll(some);
    }
    rows.sort(Comparator.comparing(row -> row.task.id()));
    try (Call call =
        bind(INSERT.on(connection), rows)
            .with("node", node.toString())
            .with("enqueue_timeout_micros", EpochMicros.lengthOf(enqueueTimeout))) {
      call.update();
    }
    return results;
  }

  private static Call bind(Call call, List<Row> rows) throws SQLException {
    int size = rows.size();
    UUID[] ids = new UUID[size];
    int[] queues = new int[size];
    long[] dues = new long[size];
    int[] fences = new int[size];
    byte[] @Nullable [] payloads = new byte[size][];
    for (int i = 0; i < size; i++) {
      NewTask task = rows.get(i).task;
      ids[i] = task.id().value();
      queues[i] = task.queue().value();
      dues[i] = task.dueMicros();
      fences[i] = rows.get(i).onQueue ? 1 : 0;
      payloads[i] = task.payload();
    }
    List<@Nullable RetryPolicy> policies = new ArrayList<>(size);
    rows.forEach(row -> policies.add(row.task.retryPolicy()));
    return Policies.bind(call, policies)
        .with("ids", BinaryArray.uuids(ids))
        .with("queue_ids", BinaryArray.ints(queues))
        .with("dues", BinaryArray.longs(dues))
        .with("fences", BinaryArray.ints(fences))
        .with("payloads", BinaryArray.bytes(payloads))
        .with("execution_timeouts", executionTimeouts(rows))
        .with("traceparents", texts(rows, NewTask::traceparent))
        .with("collections", texts(rows, NewTasks::collection))
        .with("start_deadlines", longs(rows, NewTask::startDeadlineMicros))
        .with("key_ids", keyIds(rows))
        .with("states", waitingStates(rows));
  }

  private static @Nullable String collection(NewTask task) {
    CollectionName collection = task.collection();
    return collection == null ? null : collection.value();
  }

  private static BinaryArray executionTimeouts(List<Row> rows) {
    return longs(
        rows,
        task -> {
          Duration timeout = task.executionTimeout();
          return timeout == null ? null : EpochMicros.lengthOf(timeout);
        });
  }

  private static BinaryArray keyIds(List<Row> rows) {
    return longs(rows.stream().map(row -> row.place == null ? null : row.place.key().value()));
  }

  private static BinaryArray longs(List<Row> rows, Function<NewTask, @Nullable Long> value) {
    return longs(rows.stream().map(row -> value.apply(row.task)));
  }

  /** A column; empty, which stands for nulls, when all are null. */
  private static BinaryArray longs(Stream<@Nullable Long> column) {
    List<@Nullable Long> all = new ArrayList<>();
    column.forEach(all::add);
    long[] values = new long[all.size()];
    boolean[] none = new boolean[values.length];
    boolean allNone = true;
    for (int i = 0; i < values.length; i++) {
      Long value = all.get(i);
      none[i] = value == null;
      allNone &= none[i];
      values[i] = value == null ? 0 : value;
    }
    return allNone ? BinaryArray.longs(new long[0]) : BinaryArray.longs(values, none);
  }

  /** Of those that do not begin on their queue; empty when none is blocked. */
  private static BinaryArray waitingStates(List<Row> rows) {
    byte[] @Nullable [] states = new byte[rows.size()][];
    boolean none = true;
    for (int i = 0; i < states.length; i++) {
      Place place = rows.get(i).place;
      boolean isBlocked = place != null && place.blocked();
      none &= !isBlocked;
      states[i] = isBlocked ? BLOCKED : null;
    }
    return BinaryArray.texts(none ? NO_TEXTS : states);
  }

  private static BinaryArray texts(List<Row> rows, Function<NewTask, @Nullable String> text) {
    byte[] @Nullable [] utf8 = new byte[rows.size()][];
    boolean allNone = true;
    for (int i = 0; i < utf8.length; i++) {
      String value = text.apply(rows.get(i).task);
      allNone &= value == null;
      utf8[i] = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
    }
    return BinaryArray.texts(allNone ? NO_TEXTS : utf8);
  }
}
