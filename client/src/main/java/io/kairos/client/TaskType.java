package io.kairos.client;

import static java.util.Objects.requireNonNull;

import io.kairos.client.task.PayloadCodec;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Tasks of one handler and one type of payload: the handler's name, the form of the payload and the
 * defaults of its tasks, said once for those that schedule and for the worker that performs them.
 *
 * <pre>{@code
 * static final TaskType<Resize> RESIZE =
 *     TaskType.of("resize", JacksonCodec.of(Resize.class))
 *         .defaults(task -> task.priority(70).retryPolicy(RetryPolicy.attempts(3)))
 *         .defaults((task, resize) -> task.key(resize.album()));
 *
 * worker.handle(RESIZE, (resize, context) -> ...);
 * client.schedule(RESIZE.task(new Resize("42.png")).delay(Duration.ofMinutes(5)).build());
 * }</pre>
 *
 * <p>The request is one like any other: for a {@link Graph}, a batch, a {@linkplain
 * ScheduleSpec.Builder#task schedule}, or {@link TransactionalTasks}. Immutable.
 *
 * @param <T> the payload
 */
public final class TaskType<T> {
  private final String handler;
  private final PayloadCodec<T> codec;
  private final BiConsumer<TaskRequest.Builder, T> defaults;

  private TaskType(
      String handler, PayloadCodec<T> codec, BiConsumer<TaskRequest.Builder, T> defaults) {
    this.handler = requireNonNull(handler, "handler");
    this.codec = requireNonNull(codec, "codec");
    this.defaults = defaults;
  }

  /**
   * Returns a type whose tasks have no defaults.
   *
   * @param handler 1 to 128 of letters, digits and {@code . _ : / -}
   */
  public static <T> TaskType<T> of(String handler, PayloadCodec<T> codec) {
    return new TaskType<>(handler, codec, (task, payload) -> {});
  }

  /** Adds fields that tasks have unless they are scheduled with others. */
  public TaskType<T> defaults(Consumer<? super TaskRequest.Builder> fields) {
    return defaults((task, payload) -> fields.accept(task));
  }

  /**
   * Adds fields that depend on the payload, such as the ordering key or the idempotency key. Called
   * whenever a task is made, on the caller's thread.
   */
  public TaskType<T> defaults(BiConsumer<? super TaskRequest.Builder, ? super T> fields) {
    return new TaskType<>(
        handler,
        codec,
        (task, payload) -> {
          defaults.accept(task, payload);
          fields.accept(task, payload);
        });
  }

  /**
   * Returns the type of tasks whose handler returns a value.
   *
   * @param results the form of the value
   */
  public <R> ResultTaskType<T, R> returning(PayloadCodec<R> results) {
    return new ResultTaskType<>(this, results);
  }

  /**
   * Returns the builder of a task with its payload and the defaults. What is set later wins over
   * the same field of the defaults; a request has {@code runAt} or {@code delay}, not both. Throws
   * what the codec throws for a payload that cannot be written.
   */
  public TaskRequest.Builder task(T payload) {
    requireNonNull(payload, "null is no payload: take an empty one");
    TaskRequest.Builder task = TaskRequest.to(handler).payload(payload, codec);
    defaults.accept(task, payload);
    return task;
  }

  public String handler() {
    return handler;
  }

  public PayloadCodec<T> codec() {
    return codec;
  }

  @Override
  public String toString() {
    return "TaskType[" + handler + "]";
  }
}
