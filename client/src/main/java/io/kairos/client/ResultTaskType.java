package io.kairos.client;

import static java.util.Objects.requireNonNull;

import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.Predecessor;
import io.kairos.client.task.TaskResult;
import java.util.List;
import java.util.Optional;

/**
 * A {@link TaskType} whose handler returns a value: {@link TaskType#returning}. Those who schedule
 * a task {@linkplain KairosClient#await(ResultTaskType, io.kairos.client.task.TaskId,
 * java.time.Duration) await} the value, and handlers of later tasks read it from their {@linkplain
 * #results predecessors}. Immutable.
 *
 * @param <T> the payload
 * @param <R> the value
 */
public final class ResultTaskType<T, R> {
  private final TaskType<T> type;
  private final PayloadCodec<R> results;

  ResultTaskType(TaskType<T> type, PayloadCodec<R> results) {
    this.type = type;
    this.results = requireNonNull(results, "results");
  }

  /** See {@link TaskType#task}. */
  public TaskRequest.Builder task(T payload) {
    return type.task(payload);
  }

  public String handler() {
    return type.handler();
  }

  /** Returns the type of the payload and the defaults. */
  public TaskType<T> type() {
    return type;
  }

  /** Returns the form of the value. */
  public PayloadCodec<R> results() {
    return results;
  }

  /**
   * Returns the value that a task has left; empty for none. Throws {@link IllegalArgumentException}
   * for a task of another handler, and what the codec throws for bytes that are no such value.
   */
  public Optional<R> result(Task task) {
    if (!task.handler().equals(handler())) {
      throw new IllegalArgumentException(task + " is no task of the handler " + handler());
    }
    return Optional.ofNullable(task.resultValue()).map(this::decoded);
  }

  /**
   * Returns the values of those predecessors that are tasks of this type, in their order, without
   * those that have left none. Throws {@link IllegalStateException} when one had no room beside the
   * task: {@link KairosClient#predecessors} asks for it.
   */
  public List<R> results(List<Predecessor> predecessors) {
    return predecessors.stream()
        .filter(one -> !one.isBatch() && one.handler().equals(handler()))
        .peek(ResultTaskType::requireHandedOver)
        .flatMap(one -> one.result().stream())
        .map(this::decoded)
        .toList();
  }

  private static void requireHandedOver(Predecessor predecessor) {
    if (predecessor.isResultLeftOut()) {
      throw new IllegalStateException(
          predecessor
              + " has a result that had no room beside the task: take the client's"
              + " predecessors(context)");
    }
  }

  private R decoded(TaskResult result) {
    return result.as(results);
  }

  @Override
  public String toString() {
    return "ResultTaskType[" + handler() + "]";
  }
}
