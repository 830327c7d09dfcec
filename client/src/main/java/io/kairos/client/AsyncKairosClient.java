package io.kairos.client;

import static java.util.Objects.requireNonNull;

import io.kairos.client.error.KairosException;
import io.kairos.client.error.QuotaExceededException;
import io.kairos.client.task.CancelOutcome;
import io.kairos.client.task.ScheduledTask;
import io.kairos.client.task.TaskGraph;
import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The calls of a {@link KairosClient} about tasks, each with a future in place of a thread that
 * waits, also while a call is retried or a task is awaited; {@link #call} is for all other calls. A
 * future ends with the value, or with the {@link KairosException}, of the call of the same name, on
 * a thread of the client: continuations must be short, or have an executor of their own. At most 64
 * MiB of requests wait for answers, each of at least 1 KiB; a future beyond that ends at once with
 * a {@link QuotaExceededException}. Who cancels a future ends the wait, and not the effect of the
 * call. Made by {@link KairosClient#async}, and closed with it. Thread-safe.
 */
public final class AsyncKairosClient {
  private final KairosClient client;
  private final NodeCalls calls;

  AsyncKairosClient(KairosClient client, NodeCalls calls) {
    this.client = client;
    this.calls = calls;
  }

  /** See {@link KairosClient#schedule(TaskRequest)}. */
  public CompletableFuture<TaskId> schedule(TaskRequest task) {
    return accept(task).thenApply(ScheduledTask::id);
  }

  /** See {@link KairosClient#schedule(List)}. */
  public CompletableFuture<List<TaskId>> schedule(List<TaskRequest> tasks) {
    return accept(tasks).thenApply(all -> all.stream().map(ScheduledTask::id).toList());
  }

  /** See {@link KairosClient#accept(TaskRequest)}. */
  public CompletableFuture<ScheduledTask> accept(TaskRequest task) {
    return started(() ->
            client.intercepted(List.of(task), tasks -> calls.later(client.acceptingOne(tasks))))
        .thenApply(all -> all.get(0));
  }

  /** See {@link KairosClient#accept(List)}. */
  public CompletableFuture<List<ScheduledTask>> accept(List<TaskRequest> tasks) {
    List<TaskRequest> all = List.copyOf(tasks);
    return started(() -> client.intercepted(all, inside -> calls.later(client.accepting(inside))));
  }

  /** What an interceptor or an encryption throws ends the future, as what the call throws does. */
  private static <T> CompletableFuture<T> started(Supplier<CompletableFuture<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** See {@link KairosClient#get}. */
  public CompletableFuture<Task> get(TaskId id) {
    return calls.later(client.getting(id));
  }

  /** See {@link KairosClient#await(TaskId, Duration)}. */
  public CompletableFuture<TaskOutcome> await(TaskId id, Duration atMost) {
    CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
    await(id, atMost, calls.nanos(), true, outcome);
    return outcome;
  }

  private void await(
      TaskId id,
      Duration atMost,
      long sinceNanos,
      boolean isFirst,
      CompletableFuture<TaskOutcome> outcome) {
    Duration left = atMost.minusNanos(calls.nanos() - sinceNanos);
    Duration wait = client.waitOfOneCall(left);
    NodeCall<?, ?, Optional<TaskOutcome>> call = client.awaiting(id, wait);
    CompletableFuture<Optional<TaskOutcome>> one =
        isFirst ? calls.later(call) : calls.further(call);
    cancelWith(outcome, one);
    CompletableFuture<?> unused =
        one.whenComplete((ended, failure) -> {
          if (ended == null) {
            outcome.completeExceptionally(requireNonNull(failure, "neither value nor failure"));
          } else if (ended.isPresent()) {
            outcome.complete(ended.get());
          } else if (left.compareTo(wait) <= 0) {
            outcome.complete(new TaskOutcome.StillRunning(id));
          } else if (!outcome.isDone()) {
            await(id, atMost, sinceNanos, false, outcome);
          }
        });
  }

  /** See {@link KairosClient#await(ResultTaskType, TaskId, Duration)}. */
  public <R> CompletableFuture<Optional<R>> await(
      ResultTaskType<?, R> type, TaskId id, Duration atMost) {
    CompletableFuture<TaskOutcome> outcome = await(id, atMost);
    CompletableFuture<Optional<R>> value =
        outcome.thenApply(ended -> KairosClient.value(type, id, ended));
    cancelWith(value, outcome);
    return value;
  }

  /** Has who cancels the first future cancel the second, too. */
  private static void cancelWith(CompletableFuture<?> first, CompletableFuture<?> second) {
    CompletableFuture<?> unused =
        first.whenComplete((any, failure) -> {
          if (first.isCancelled()) {
            second.cancel(false);
          }
        });
  }

  /** See {@link KairosClient#list}. */
  public CompletableFuture<TaskPage> list(TaskQuery query) {
    return calls.later(client.listing(query));
  }

  /** See {@link KairosClient#cancel(TaskId)}. */
  public CompletableFuture<CancelOutcome> cancel(TaskId id) {
    return calls.later(client.cancelling(id));
  }

  /** See {@link KairosClient#graph}. */
  public CompletableFuture<TaskGraph> graph(TaskId id) {
    return calls.later(client.graphing(id));
  }

  /** See {@link KairosClient#reschedule(TaskId, Instant)}. */
  public CompletableFuture<Task> reschedule(TaskId id, Instant runAt) {
    return calls.later(client.rescheduling(id, runAt));
  }

  /** See {@link KairosClient#reschedule(TaskId, Duration)}. */
  public CompletableFuture<Task> reschedule(TaskId id, Duration delay) {
    return calls.later(client.rescheduling(id, delay));
  }

  /**
   * Makes any call of the client on a thread of the executor, which waits for the answer: {@code
   * call(client -> client.handlers().list(), executor)}. For calls of operators, which may take
   * several requests.
   *
   * @param executor best one whose threads are virtual, where there are such
   */
  public <T> CompletableFuture<T> call(
      Function<? super KairosClient, ? extends T> call, Executor executor) {
    return CompletableFuture.supplyAsync(() -> call.apply(client), executor);
  }
}
