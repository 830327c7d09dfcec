package io.kairos.spring;

import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Schedules tasks.
 *
 * <pre>{@code
 * kairos.schedule("resize-image", new Resize("42.png", 300), Duration.ofMinutes(5));
 * }</pre>
 *
 * <p>While a transaction of Spring is running on the application's {@code DataSource}, tasks are
 * stored in it, by the functions in the database: with it they become visible, or never. Without
 * one, after its commit, or with {@code kairos.transactions} set to {@code separate}, the nodes are
 * called, and tasks are there when the call returns. Payloads are written as JSON by the
 * application's Jackson, {@code byte[]} as it is. Calls block; failures are the {@link
 * io.kairos.client.error.KairosException} of the client. Thread-safe.
 */
public final class KairosTemplate {
  private final KairosMode mode;
  private final TaskMethods methods;
  private final PayloadForms forms;
  private final TransactionJoin join;
  private final ScheduleObservation observation;

  KairosTemplate(
      KairosMode mode,
      TaskMethods methods,
      PayloadForms forms,
      TransactionJoin join,
      ScheduleObservation observation) {
    this.mode = mode;
    this.methods = methods;
    this.forms = forms;
    this.join = join;
    this.observation = observation;
  }

  /** Schedules a task that is due now. */
  public TaskId schedule(String handler, @Nullable Object payload) {
    return schedule(task(handler, payload).build());
  }

  /** Schedules a task that is due later by a length of time. */
  public TaskId schedule(String handler, @Nullable Object payload, Duration delay) {
    return schedule(task(handler, payload).delay(delay).build());
  }

  /** Schedules a task that is due at a time. */
  public TaskId schedule(String handler, @Nullable Object payload, Instant runAt) {
    return schedule(task(handler, payload).runAt(runAt).build());
  }

  /**
   * Returns the builder of a task, for an ordering key, an idempotency key, predecessors and
   * others. Where the handler is a method of this application, the task has the fields of its
   * {@link KairosHandler}.
   *
   * @param payload null for none
   * @throws io.kairos.client.task.PayloadFormatException for a payload that cannot be written
   */
  public TaskRequest.Builder task(String handler, @Nullable Object payload) {
    TaskMethod own = methods.handler(handler).orElse(null);
    if (own != null && payload != null && own.payload() >= 0) {
      return own.type().task(payload);
    }
    TaskRequest.Builder task = TaskRequest.to(handler);
    if (payload != null) {
      task.payload(payload, forms.of(payload.getClass()));
    }
    if (own != null) {
      own.defaults().accept(task);
    }
    return task;
  }

  /** Schedules a task, such as one of a {@link io.kairos.client.TaskType}. */
  public TaskId schedule(TaskRequest task) {
    return scheduleAll(List.of(task)).get(0);
  }

  /**
   * Schedules tasks, such as those of a {@link io.kairos.client.Graph}, all or none.
   *
   * @return their ids, in the order of the tasks
   */
  public List<TaskId> scheduleAll(List<TaskRequest> tasks) {
    return observation.schedule(tasks, this::scheduled);
  }

  private List<TaskId> scheduled(List<TaskRequest> tasks) {
    Optional<List<TaskId>> joined = join.schedule(tasks);
    return joined.isPresent() ? joined.get() : mode.schedule(tasks);
  }
}
