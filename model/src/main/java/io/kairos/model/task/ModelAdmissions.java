package io.kairos.model.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.TaskIdempotency.Window;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.InsertResult.Reason;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.operator.AdmissionQuota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Idempotency keys and admission quotas of {@link ModelTaskStore}. Not thread-safe: its owner
 * locks.
 */
final class ModelAdmissions {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final TaskTable tasks;
  private final Function<QueueId, QueueName> names;
  private final Map<TaskHandler, Long> quotas = new HashMap<>();
  private final Map<Key, TakenKey> keys = new HashMap<>();

  ModelAdmissions(TaskTable tasks, Function<QueueId, QueueName> names) {
    this.tasks = tasks;
    this.names = names;
  }

  private record Key(TaskHandler handler, String text) {}

  /**
   * The task that has an idempotency key, and until when.
   *
   * @param untilMicros of a window that is a time
   */
  private record TakenKey(TaskId task, Window window, long untilMicros) {}

  /** Decides on a request; nothing has been changed yet. */
  InsertResult judge(InsertRequest request, long now) {
    List<TaskReceipt> receipts = new ArrayList<>();
    Map<TaskHandler, Long> fresh = new HashMap<>();
    for (int i = 0; i < request.arrivals().size(); i++) {
      ArrivingTask arrival = request.arrivals().get(i);
      TaskId former = former(arrival, now);
      if (former == null) {
        fresh.merge(handler(arrival), 1L, Long::sum);
        receipts.add(TaskReceipt.stored(arrival.task().id(), arrival.onQueue()));
        continue;
      }
      Reason conflict = conflict(requireNonNull(arrival.idempotency()), tasks.live(former));
      if (conflict != null) {
        return new InsertResult.Conflict(i, former, conflict);
      }
      receipts.add(TaskReceipt.duplicate(former));
    }
    for (Map.Entry<TaskHandler, Long> one : fresh.entrySet()) {
      if (quota(one.getKey()).filter(quota -> !quota.allows(one.getValue())).isPresent()) {
        return new InsertResult.Exhausted(one.getKey(), RETRY_AFTER);
      }
    }
    return new InsertResult.Stored(receipts);
  }

  private TaskHandler handler(ArrivingTask arrival) {
    return names.apply(arrival.task().queue()).handler();
  }

  private @Nullable TaskId former(ArrivingTask arrival, long now) {
    TaskIdempotency idempotency = arrival.idempotency();
    if (idempotency == null) {
      return null;
    }
    TakenKey taken = keys.get(new Key(handler(arrival), idempotency.storedKey()));
    return taken != null && isOpen(taken, idempotency.maxWait(), now) ? taken.task : null;
  }

  /**
   * True when a key stands for its task.
   *
   * @param maxWait of the request that comes now
   */
  private boolean isOpen(TakenKey taken, @Nullable Duration maxWait, long now) {
    return switch (taken.window) {
      case Window.WhileUnfinished() -> tasks.live(taken.task) != null;
      case Window.WhileWaiting() -> {
        TaskRow row = tasks.live(taken.task);
        yield row != null
            && row.state() != TaskState.PROCESSING
            && (maxWait == null || !hasWaitedFor(row, maxWait, now));
      }
      case Window.For(_), Window.Period _ -> taken.untilMicros > now;
      case Window.Forever() -> true;
    };
  }

  /** True when the bound of a debounce has passed, so that only a worker is waited for. */
  private static boolean hasWaitedFor(TaskRow row, Duration maxWait, long now) {
    boolean isDue =
        switch (row.state()) {
          case ENQUEUED -> true;
          case NEW, RETRIABLE_FAILURE -> row.triggerMicros <= now;
          default -> false;
        };
    return isDue
        && !row.hasOrderingKey()
        && now - row.createdMicros >= EpochMicros.lengthOf(maxWait);
  }

  private static @Nullable Reason conflict(TaskIdempotency idempotency, @Nullable TaskRow former) {
    if (idempotency.onConflict() == OnConflict.ERROR) {
      return Reason.EXISTS;
    }
    if (idempotency.onConflict() == OnConflict.KEEP) {
      return null;
    }
    if (former == null || former.state() == TaskState.PROCESSING) {
      return Reason.NOT_WAITING;
    }
    return former.hasOrderingKey() ? Reason.ORDERED : null;
  }

  /** A task is stored: its key stands for it from now on. */
  void take(ArrivingTask arrival, long now) {
    TaskIdempotency idempotency = arrival.idempotency();
    if (idempotency != null) {
      long until =
          switch (idempotency.window()) {
            case Window.For(var length) -> now + EpochMicros.lengthOf(length);
            case Window.Period period -> period.untilMicros();
            case Window.WhileUnfinished(), Window.WhileWaiting(), Window.Forever() -> 0;
          };
      keys.put(
          new Key(handler(arrival), idempotency.storedKey()),
          new TakenKey(arrival.task().id(), idempotency.window(), until));
    }
  }

  int prune(long now, int limit) {
    List<Key> over =
        keys.entrySet().stream()
            .filter(entry -> entry.getValue().untilMicros > 0)
            .filter(entry -> entry.getValue().untilMicros < now)
            .map(Map.Entry::getKey)
            .limit(limit)
            .toList();
    over.forEach(keys::remove);
    return over.size();
  }

  /** Most unfinished tasks of a handler; null for no quota. */
  @Nullable Long maxUnfinished(TaskHandler handler) {
    return quotas.get(handler);
  }

  void setQuota(TaskHandler handler, @Nullable Long maxUnfinished) {
    if (maxUnfinished == null) {
      quotas.remove(handler);
    } else {
      quotas.put(handler, maxUnfinished);
    }
  }

  Optional<AdmissionQuota> quota(TaskHandler handler) {
    return Optional.ofNullable(quotas.get(handler))
        .map(most ->
            new AdmissionQuota(
                most, tasks.liveCount(row -> names.apply(row.queue()).handler().equals(handler))));
  }
}
