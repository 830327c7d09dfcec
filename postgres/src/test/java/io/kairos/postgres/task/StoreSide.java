package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.TaskStores;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.model.task.ModelTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * One of two stores that must agree, with the same words for its queues and times as the other has.
 *
 * @param keys the keys of tasks, by the numbers of this store
 * @param zero the zero of this store's times, in microseconds: a model's clock moves, a database's
 *     rows do
 */
record StoreSide(
    TaskStores stores,
    Map<QueueName, QueueId> queues,
    Map<TaskId, OrderingKeyId> keys,
    LongSupplier zero) {
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Boolean.getBoolean("kairos.long") ? 10 : 1);
  }

  /** The model, then Postgres, both empty. */
  static List<StoreSide> both(List<QueueName> queues) {
    TaskStores postgres = ContractTaskStores.fresh();
    ModelStores model = new ModelStores(postgres.now());
    long start = EpochMicros.of(model.now());
    return List.of(
        of(model, queues, () -> EpochMicros.of(model.now())), of(postgres, queues, () -> start));
  }

  private static StoreSide of(TaskStores stores, List<QueueName> queues, LongSupplier zero) {
    return new StoreSide(stores, stores.tasks().queues(queues), new HashMap<>(), zero);
  }

  static void agree(List<StoreSide> sides, String what, Function<StoreSide, Object> call) {
    assertThat(call.apply(sides.getLast())).as(what).isEqualTo(call.apply(sides.getFirst()));
  }

  TaskStore tasks() {
    return stores.tasks();
  }

  QueueId queue(QueueName name) {
    return requireNonNull(queues.get(name));
  }

  String queue(QueueId id) {
    return queues.entrySet().stream()
        .filter(entry -> entry.getValue().equals(id))
        .map(entry -> entry.getKey().toString())
        .findFirst()
        .orElseThrow();
  }

  long zeroMicros() {
    return zero.getAsLong();
  }

  /** A clock that never shows the same time twice, like a real one. */
  private static final class ModelStores implements TaskStores {
    private final Instant start;
    private final ModelTaskStore store = new ModelTaskStore(this::tick);
    private Duration passed = Duration.ZERO;
    private long ticks;

    private ModelStores(Instant start) {
      this.start = start;
    }

    private Instant tick() {
      return now().plus(++ticks, ChronoUnit.MICROS);
    }

    @Override
    public TaskStore tasks() {
      return store;
    }

    @Override
    public Instant now() {
      return start.plus(passed);
    }

    @Override
    public void letPass(Duration duration) {
      passed = passed.plus(duration);
    }
  }
}
