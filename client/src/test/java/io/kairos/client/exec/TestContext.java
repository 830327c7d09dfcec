package io.kairos.client.exec;

import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An attempt that a test cancels. */
public final class TestContext implements TaskContext {
  public static final String ID = "01890000-0000-7000-8000-000000000007";

  volatile @Nullable Thread executor;
  private final Supplier<Duration> leaseLeft;
  volatile Optional<String> key = Optional.of("customer 7");
  private final List<Runnable> callbacks = new ArrayList<>();
  private volatile @Nullable CancelReason reason;

  TestContext() {
    this(() -> Duration.ofSeconds(4));
  }

  public TestContext(Supplier<Duration> leaseLeft) {
    this.leaseLeft = leaseLeft;
  }

  synchronized void cancel(CancelReason why) {
    reason = why;
    Thread running = executor;
    if (running != null) {
      running.interrupt();
    }
    callbacks.forEach(Runnable::run);
    callbacks.clear();
  }

  @Override
  public TaskId taskId() {
    return TaskId.of(ID);
  }

  @Override
  public String handler() {
    return "resize";
  }

  @Override
  public long fence() {
    return 12;
  }

  @Override
  public int attempt() {
    return 3;
  }

  @Override
  public int priority() {
    return 50;
  }

  @Override
  public Instant dueAt() {
    return Instant.ofEpochSecond(9);
  }

  @Override
  public Optional<String> key() {
    return key;
  }

  @Override
  public Optional<String> collection() {
    return Optional.of("import");
  }

  @Override
  public Optional<String> traceparent() {
    return Optional.of("00-a-b-01");
  }

  @Override
  public String workerName() {
    return "w1";
  }

  @Override
  public Duration leaseLeft() {
    return leaseLeft.get();
  }

  @Override
  public boolean isCancelled() {
    return reason != null;
  }

  @Override
  public Optional<CancelReason> cancelReason() {
    return Optional.ofNullable(reason);
  }

  @Override
  public synchronized void onCancel(Runnable action) {
    if (reason == null) {
      callbacks.add(action);
    } else {
      action.run();
    }
  }

  @Override
  public void throwIfCancelled() {
    if (reason != null) {
      throw new CancellationException("cancelled");
    }
  }
}
