package io.kairos.client.opentelemetry;

import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/** The second attempt at a task. */
record TestContext(String caller, Optional<CancelReason> cancelReason) implements TaskContext {
  TestContext(String caller) {
    this(caller, Optional.empty());
  }

  @Override
  public TaskId taskId() {
    return TaskId.of("01890000-0000-7000-8000-000000000001");
  }

  @Override
  public String handler() {
    return "resize";
  }

  @Override
  public long fence() {
    return 3;
  }

  @Override
  public int attempt() {
    return 2;
  }

  @Override
  public int priority() {
    return 50;
  }

  @Override
  public Instant dueAt() {
    return Instant.EPOCH;
  }

  @Override
  public Optional<String> key() {
    return Optional.empty();
  }

  @Override
  public Optional<String> collection() {
    return Optional.empty();
  }

  @Override
  public Optional<String> traceparent() {
    return caller.isEmpty() ? Optional.empty() : Optional.of(caller);
  }

  @Override
  public String workerName() {
    return "w1";
  }

  @Override
  public Duration leaseLeft() {
    return Duration.ofSeconds(4);
  }

  @Override
  public boolean isCancelled() {
    return cancelReason.isPresent();
  }

  @Override
  public void onCancel(Runnable action) {}

  @Override
  public void throwIfCancelled() {
    if (isCancelled()) {
      throw new CancellationException();
    }
  }
}
