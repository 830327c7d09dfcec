package io.kairos.model.task;

import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.TaskPause;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The pauses of {@link ModelTaskStore}. Not thread-safe: its owner locks. */
final class ModelPauses {
  private final LongSupplier nowMicros;
  private final Map<PauseScope, TaskPause.Active> all = new HashMap<>();

  private record PauseScope(TaskHandler handler, @Nullable CollectionName collection) {
    static PauseScope of(TaskPause pause) {
      return new PauseScope(pause.handler(), pause.collection());
    }

    String words() {
      return handler + " " + (collection == null ? "" : collection);
    }
  }

  ModelPauses(LongSupplier nowMicros) {
    this.nowMicros = nowMicros;
  }

  private Instant now() {
    return EpochMicros.toInstant(nowMicros.getAsLong());
  }

  private boolean isClosed(TaskPause pause) {
    Instant until = pause.until();
    return until == null || until.isAfter(now());
  }

  void set(TaskPause pause) {
    TaskPause.Active before = all.get(PauseScope.of(pause));
    boolean wasClosed = before != null && isClosed(before.pause());
    all.put(
        PauseScope.of(pause),
        new TaskPause.Active(pause, wasClosed && before != null ? before.since() : now()));
  }

  boolean lift(TaskHandler handler, @Nullable CollectionName collection) {
    TaskPause.Active closed = all.get(new PauseScope(handler, collection));
    if (closed == null || !isClosed(closed.pause())) {
      return false;
    }
    TaskPause pause = closed.pause();
    all.put(
        PauseScope.of(pause),
        new TaskPause.Active(
            new TaskPause(handler, collection, pause.mode(), now(), pause.note()), closed.since()));
    return true;
  }

  void remove(TaskPause pause) {
    all.remove(PauseScope.of(pause));
  }

  boolean closesAll(TaskHandler handler) {
    return isClosed(new PauseScope(handler, null));
  }

  /** True when this collection alone is paused. */
  boolean closes(TaskHandler handler, @Nullable CollectionName collection) {
    return collection != null && isClosed(new PauseScope(handler, collection));
  }

  private boolean isClosed(PauseScope place) {
    TaskPause.Active closed = all.get(place);
    return closed != null && isClosed(closed.pause());
  }

  List<TaskPause.Active> closed() {
    return all.entrySet().stream()
        .filter(entry -> isClosed(entry.getValue().pause()))
        .sorted(Comparator.comparing(entry -> entry.getKey().words()))
        .map(Map.Entry::getValue)
        .toList();
  }

  List<TaskPause> open() {
    return those(pause -> !isClosed(pause));
  }

  List<TaskPause> dropping() {
    return those(pause -> isClosed(pause) && pause.mode() == TaskPause.Mode.DROP);
  }

  private List<TaskPause> those(Predicate<TaskPause> which) {
    return all.values().stream().map(TaskPause.Active::pause).filter(which).toList();
  }
}
