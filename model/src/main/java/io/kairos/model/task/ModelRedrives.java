package io.kairos.model.task;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.RedriveResult;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts failed tasks of {@link ModelTaskStore} back. Not thread-safe: its owner locks. */
final class ModelRedrives {
  private final TaskTable tasks;
  private final ModelOrderingKeys keys;
  private final ModelGraphs graphs;
  private final ModelQueueNumbers queues;

  ModelRedrives(
      TaskTable tasks, ModelOrderingKeys keys, ModelGraphs graphs, ModelQueueNumbers queues) {
    this.tasks = tasks;
    this.keys = keys;
    this.graphs = graphs;
    this.queues = queues;
  }

  RedriveResult run(RedriveRequest request, long now) {
    List<TaskRow> rows =
        found(request.which())
            .filter(row -> RedriveRequest.REDRIVABLE.contains(row.state()) && !blocksItsKey(row))
            .limit(request.limit())
            .toList();
    boolean mayBeMore =
        request.which() instanceof RedriveRequest.Filter && rows.size() == request.limit();
    TaskId next = mayBeMore ? rows.getLast().id() : null;
    Instant at = EpochMicros.toInstant(now);
    if (request.isDryRun()) {
      return new RedriveResult(List.of(), rows.size(), next, at);
    }
    Long start = request.startMicros();
    long due = start == null ? now : start;
    for (TaskRow row : rows) {
      long dueMicros = due;
      OrderingKey key = row.key();
      row.keyId = key == null ? null : keys.of(queues.handler(row), key);
      tasks.revive(row, one -> one.beginsAnew(dueMicros, dueMicros));
      due += EpochMicros.lengthOf(request.apart());
    }
    graphs.putBack(rows);
    return new RedriveResult(rows.stream().map(TaskRow::id).toList(), rows.size(), next, at);
  }

  private boolean blocksItsKey(TaskRow row) {
    OrderingKey key = row.key();
    return key != null
        && keys.find(queues.handler(row), key)
            .filter(id -> row.id().equals(keys.state(id).blockedBy()))
            .isPresent();
  }

  private Stream<TaskRow> found(RedriveRequest.Which which) {
    return switch (which) {
      case RedriveRequest.Ids(List<TaskId> ids) -> ids.stream().distinct().flatMap(this::finished);
      case RedriveRequest.Filter filter ->
          tasks.newestFirst(null).reversed().stream()
              .filter(row -> filter.states().contains(row.state()))
              .filter(row -> filter.after() == null || row.id().compareTo(filter.after()) > 0)
              .filter(
                  row -> filter.handler() == null || filter.handler().equals(queues.handler(row)))
              .filter(row -> isBefore(row.finishedMicros, filter.endedBefore()))
              .filter(row ->
                  filter.endedFrom() == null || !isBefore(row.finishedMicros, filter.endedFrom()))
              .filter(row ->
                  filter.collection() == null || filter.collection().equals(row.collection()))
              .filter(row -> row.failedWith(filter.errorClass(), filter.fingerprint()))
              .filter(row -> row.lastError().contains(filter.error()));
    };
  }

  private Stream<TaskRow> finished(TaskId id) {
    TaskRow row = tasks.finished(id);
    return row == null ? Stream.empty() : Stream.of(row);
  }

  private static boolean isBefore(long micros, @Nullable Instant bound) {
    return bound == null || micros < EpochMicros.of(bound);
  }
}
