package io.kairos.client.handler;

import io.kairos.client.task.Predecessor;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A context with another trace context. */
record RetracedContext(TaskContext of, String newTraceparent) implements TaskContext {
  @Override
  public Optional<String> traceparent() {
    return Optional.of(newTraceparent);
  }

  @Override
  public TaskId taskId() {
    return of.taskId();
  }

  @Override
  public String handler() {
    return of.handler();
  }

  @Override
  public long fence() {
    return of.fence();
  }

  @Override
  public int attempt() {
    return of.attempt();
  }

  @Override
  public int priority() {
    return of.priority();
  }

  @Override
  public Instant dueAt() {
    return of.dueAt();
  }

  @Override
  public Optional<String> key() {
    return of.key();
  }

  @Override
  public Optional<String> collection() {
    return of.collection();
  }

  @Override
  public List<Predecessor> predecessors() {
    return of.predecessors();
  }

  @Override
  public boolean hasMorePredecessors() {
    return of.hasMorePredecessors();
  }

  @Override
  public String workerName() {
    return of.workerName();
  }

  @Override
  public Duration leaseLeft() {
    return of.leaseLeft();
  }

  @Override
  public boolean isCancelled() {
    return of.isCancelled();
  }

  @Override
  public Optional<CancelReason> cancelReason() {
    return of.cancelReason();
  }

  @Override
  public void onCancel(Runnable action) {
    of.onCancel(action);
  }

  @Override
  public void result(TaskResult value) {
    of.result(value);
  }

  @Override
  public void progress(int percent, String note) {
    of.progress(percent, note);
  }

  @Override
  public void throwIfCancelled() {
    of.throwIfCancelled();
  }
}
