package io.kairos.model.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.InsertResult.BatchReason;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.batch.BatchCreation;
import io.kairos.engine.task.port.batch.BatchQuery;
import io.kairos.engine.task.port.batch.BatchView;
import io.kairos.engine.task.port.batch.NewBatch;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The batches of {@link ModelTaskStore}. Not thread-safe: its owner locks. */
final class ModelBatches {
  private final Function<QueueId, TaskHandler> handlers;
  private final NavigableMap<BatchId, Batch> batches = new TreeMap<>();
  private Consumer<BatchId> ended = _ -> {};

  ModelBatches(TaskTable tasks, Function<QueueId, TaskHandler> handlers) {
    this.handlers = handlers;
    tasks.whenOneEnds(
        row -> of(row).ifPresent(batch -> batch.counts = batch.counts.ended(row.state(), 1)));
    tasks.whenOneIsPutBack(row ->
        of(row)
            .ifPresent(batch -> {
              batch.counts = batch.counts.ended(row.state(), -1);
              batch.end = null;
            }));
  }

  private static final class Batch {
    final NewBatch what;
    final long createdMicros;
    BatchCounts counts = BatchCounts.NONE;
    @Nullable Long closedMicros;
    @Nullable TaskState end;

    /** Set together with the end. */
    long completedMicros;

    Batch(NewBatch what, long createdMicros) {
      this.what = what;
      this.createdMicros = createdMicros;
    }

    boolean isDue() {
      return closedMicros != null && end == null && counts.unfinished() == 0;
    }

    BatchView view() {
      return new BatchView(
          what.id(),
          what.handler(),
          what.name(),
          EpochMicros.toInstant(createdMicros),
          what.createdBy(),
          counts,
          closedMicros == null ? null : EpochMicros.toInstant(closedMicros),
          end,
          end == null ? null : EpochMicros.toInstant(completedMicros));
    }
  }

  /** Sets who is told of each batch that ends, within the call that ends it. */
  void whenOneEnds(Consumer<BatchId> told) {
    ended = told;
  }

  private Optional<Batch> of(TaskRow row) {
    BatchId batch = row.batch();
    return batch == null ? Optional.empty() : Optional.ofNullable(batches.get(batch));
  }

  BatchCreation create(NewBatch given, long now) {
    Optional<Batch> former =
        batches.values().stream()
            .filter(batch -> given.name() != null && given.name().equals(batch.what.name()))
            .filter(batch -> given.handler().equals(batch.what.handler()))
            .findFirst();
    if (former.isPresent()) {
      return new BatchCreation.Stored(former.get().view(), false);
    }
    Batch batch = new Batch(given, now);
    batches.put(given.id(), batch);
    return new BatchCreation.Stored(batch.view(), true);
  }

  /**
   * Decides on a request by the batches of its tasks; nothing has been changed yet.
   *
   * @param duplicates tasks that had been stored before
   */
  Optional<InsertResult> refusal(InsertRequest request, Set<TaskId> duplicates) {
    Map<BatchId, Long> joining = new HashMap<>();
    for (int i = 0; i < request.arrivals().size(); i++) {
      NewTask task = request.arrivals().get(i).task();
      BatchId id = task.batch();
      if (id == null || duplicates.contains(task.id())) {
        continue;
      }
      long joins = joining.getOrDefault(id, 0L) + 1;
      joining.put(id, joins);
      BatchReason reason = refusal(batches.get(id), task, joins);
      if (reason != null) {
        return Optional.of(new InsertResult.NotInBatch(i, id, reason));
      }
    }
    return Optional.empty();
  }

  private @Nullable BatchReason refusal(@Nullable Batch batch, NewTask task, long joins) {
    if (batch == null) {
      return BatchReason.UNKNOWN;
    }
    if (!handlers.apply(task.queue()).equals(batch.what.handler())) {
      return BatchReason.OF_OTHER_HANDLER;
    }
    if (batch.closedMicros != null) {
      return BatchReason.CLOSED;
    }
    return batch.counts.total() + joins > BatchCounts.MOST_TASKS ? BatchReason.FULL : null;
  }

  /** A task is stored. */
  void join(TaskRow row) {
    of(row).ifPresent(batch -> batch.counts = batch.counts.joined(1));
  }

  Optional<BatchView> find(BatchId id) {
    return Optional.ofNullable(batches.get(id)).map(Batch::view);
  }

  List<BatchView> list(BatchQuery query) {
    BatchId before = query.before();
    return (before == null ? batches : batches.headMap(before, false))
        .descendingMap().values().stream()
            .filter(
                batch -> query.handler() == null || query.handler().equals(batch.what.handler()))
            .limit(query.limit())
            .map(Batch::view)
            .toList();
  }

  boolean close(BatchId id, long now) {
    Batch batch = batches.get(id);
    if (batch != null && batch.closedMicros == null) {
      batch.closedMicros = now;
    }
    return batch != null;
  }

  /** How a batch has ended; null for one that has not, or is not known. */
  @Nullable TaskState endOf(BatchId id) {
    Batch batch = batches.get(id);
    return batch == null ? null : batch.end;
  }

  @Nullable TaskHandler handlerOf(BatchId id) {
    Batch batch = batches.get(id);
    return batch == null ? null : batch.what.handler();
  }

  boolean isUnfinished(BatchId id) {
    Batch batch = batches.get(id);
    return batch != null && batch.end == null;
  }

  int count(int limit, long now) {
    List<Batch> due = batches.values().stream().filter(Batch::isDue).limit(limit).toList();
    for (Batch batch : due) {
      batch.end = batch.counts.end();
      batch.completedMicros = now;
      ended.accept(batch.what.id());
    }
    return due.size();
  }

  /**
   * Forgets batches that ended in a state before a time.
   *
   * @param kept batches that are not forgotten yet
   */
  int prune(TaskState end, long beforeMicros, int limit, Set<TaskId> kept) {
    Stream<Batch> old =
        batches.values().stream()
            .filter(batch -> batch.end == end && batch.completedMicros < beforeMicros)
            .filter(batch -> !kept.contains(batch.what.id().asPredecessor()))
            .sorted(Comparator.comparingLong(batch -> batch.completedMicros))
            .limit(limit);
    List<BatchId> ids = old.map(batch -> batch.what.id()).toList();
    ids.forEach(batches::remove);
    return ids.size();
  }
}
