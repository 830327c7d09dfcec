package io.kairos.postgres.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Receipt;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores batches of new tasks, each by one statement: of a batch that fails nothing is stored. */
final class NewTasks {
  private static final Sql INSERT = Sql.load(NewTasks.class, "insert.sql");
  private static final byte[] @Nullable [] NO_TEXTS = new byte[0][];

  private NewTasks() {}

  /** A task of the batch and the fence that it begins with: 1 on its queue, 0 while it waits. */
  private record Row(NewTask task, int fence) {}

  static List<InsertResult> insert(
      Connection connection, NodeId node, List<InsertRequest> requests, Duration enqueueTimeout)
      throws SQLException {
    List<Row> rows = new ArrayList<>();
    for (InsertRequest request : requests) {
      request
          .arrivals()
          .forEach(arrival -> rows.add(new Row(arrival.task(), arrival.onQueue() ? 1 : 0)));
    }
    rows.sort(Comparator.comparing(row -> row.task.id()));
    try (Call call =
        bind(INSERT.on(connection), rows)
            .with("node", node.toString())
            .with("enqueue_timeout_micros", EpochMicros.lengthOf(enqueueTimeout))) {
      call.update();
    }
    return requests.stream().map(NewTasks::stored).toList();
  }

  private static InsertResult stored(InsertRequest request) {
    return new InsertResult.Stored(
        request.arrivals().stream()
            .map(arrival -> new Receipt(arrival.task().id(), false, arrival.onQueue()))
            .toList());
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
      fences[i] = rows.get(i).fence;
      payloads[i] = task.payload();
    }
    return Policies.bind(call, rows.stream().map(row -> row.task.retryPolicy()).toList())
        .with("ids", BinaryArray.uuids(ids))
        .with("queue_ids", BinaryArray.ints(queues))
        .with("dues", BinaryArray.longs(dues))
        .with("fences", BinaryArray.ints(fences))
        .with("payloads", BinaryArray.bytes(payloads))
        .with("execution_timeouts", executionTimeouts(rows))
        .with("traceparents", traceparents(rows));
  }

  private static BinaryArray executionTimeouts(List<Row> rows) {
    long[] timeouts = new long[rows.size()];
    boolean[] none = new boolean[timeouts.length];
    boolean allNone = true;
    for (int i = 0; i < timeouts.length; i++) {
      Duration timeout = rows.get(i).task.executionTimeout();
      none[i] = timeout == null;
      allNone &= none[i];
      timeouts[i] = timeout == null ? 0 : EpochMicros.lengthOf(timeout);
    }
    return allNone ? BinaryArray.longs(new long[0]) : BinaryArray.longs(timeouts, none);
  }

  private static BinaryArray traceparents(List<Row> rows) {
    byte[] @Nullable [] utf8 = new byte[rows.size()][];
    boolean allNone = true;
    for (int i = 0; i < utf8.length; i++) {
      String traceparent = rows.get(i).task.traceparent();
      allNone &= traceparent == null;
      utf8[i] = traceparent == null ? null : traceparent.getBytes(StandardCharsets.UTF_8);
    }
    return BinaryArray.texts(allNone ? NO_TEXTS : utf8);
  }
}
