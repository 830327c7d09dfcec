package io.kairos.edge.call;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.batch.BatchName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.edge.BatchEdge;
import io.kairos.engine.task.port.batch.BatchCancel;
import io.kairos.engine.task.port.batch.BatchCreation;
import io.kairos.engine.task.port.batch.BatchQuery;
import io.kairos.engine.task.port.batch.BatchView;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The batches of {@link ScriptedTasks}: remembers those that are created or that a test puts. */
final class ScriptedBatches implements BatchEdge {
  static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

  final NavigableMap<BatchId, BatchView> known = new ConcurrentSkipListMap<>();
  final AtomicReference<BatchCancel> cancelled = new AtomicReference<>(new BatchCancel(0, null));
  final AtomicReference<Optional<Integer>> olderNodes = new AtomicReference<>(Optional.empty());

  static BatchView view(BatchId id, TaskHandler handler, BatchCounts counts) {
    return new BatchView(id, handler, null, AT, null, counts, null, null, null);
  }

  @Override
  public BatchCreation create(
      TaskHandler handler, @Nullable BatchName name, @Nullable String createdBy) {
    Optional<Integer> older = olderNodes.get();
    if (older.isPresent()) {
      return new BatchCreation.OlderNodes(older.get());
    }
    Optional<BatchView> former =
        known.values().stream()
            .filter(one -> name != null && name.equals(one.name()) && handler.equals(one.handler()))
            .findFirst();
    if (former.isPresent()) {
      return new BatchCreation.Stored(former.get(), false);
    }
    BatchId id = new BatchId(ScriptedTasks.id(known.size() + 1).value());
    BatchView made =
        new BatchView(id, handler, name, AT, createdBy, BatchCounts.NONE, null, null, null);
    known.put(id, made);
    return new BatchCreation.Stored(made, true);
  }

  @Override
  public Optional<BatchView> find(BatchId id) {
    return Optional.ofNullable(known.get(id));
  }

  @Override
  public List<BatchView> list(BatchQuery query) {
    BatchId before = query.before();
    return (before == null ? known : known.headMap(before, false))
        .descendingMap().values().stream()
            .filter(one -> query.handler() == null || query.handler().equals(one.handler()))
            .limit(query.limit())
            .toList();
  }

  @Override
  public boolean close(BatchId id) {
    return known.computeIfPresent(
            id,
            (_, one) ->
                new BatchView(
                    id,
                    one.handler(),
                    one.name(),
                    one.createdAt(),
                    one.createdBy(),
                    one.counts(),
                    AT,
                    one.counts().unfinished() == 0 ? TaskState.SUCCEEDED : null,
                    one.counts().unfinished() == 0 ? AT : null))
        != null;
  }

  @Override
  public BatchCancel cancel(BatchId id, @Nullable TaskId before, int limit) {
    return cancelled.get();
  }
}
